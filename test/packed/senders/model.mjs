// A model, by HTTP/1, HTTP/2 and TLS, with the key and the certificate in the files of the arguments, whose streams go on only when they are told to: their chunks are the same each time.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'

const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }
const message = (content) => ({ role: 'assistant', content })
const common = { id: 'chatcmpl-1', created: 1, model: 'm' }
const chunk = (delta, finish_reason = null) => ({
  ...common,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
})
const EVENTS = [
  chunk(message('Hel')),
  chunk({ content: 'lo' }),
  chunk({}, 'stop'),
  { ...common, object: 'chat.completion.chunk', choices: [], usage },
]
const answer = (content) => ({
  ...common,
  object: 'chat.completion',
  choices: [{ index: 0, message: message(content), finish_reason: 'stop' }],
  usage,
})

/** What was asked, and how each response ended. */
const log = []
/** By what a request is called: something happened to it. */
const gates = new Map()
function gate(name) {
  if (!gates.has(name)) gates.set(name, Promise.withResolvers())
  return gates.get(name)
}

const CASES = {
  whole: (response) => send(response, 200, answer('Hello')),
  refused: (response) => send(response, 429, { error: { message: 'Slow down', type: 'rate_limit_error' } }),
  large: (response) => send(response, 200, answer('Hello '.repeat(2_000_000))),
  hung: () => {},
  many: async (response) => {
    begin(response)
    for (const event of EVENTS) {
      response.write(`data: ${JSON.stringify(event)}\n\n`)
      await new Promise(setImmediate)
    }
    response.end('data: [DONE]\n\n')
  },
  streamed: async (response, name) => {
    begin(response)
    for (const [index, event] of EVENTS.entries()) {
      response.write(`data: ${JSON.stringify(event)}\n\n`)
      await gate(`${name} ${index + 1}`).promise
    }
    response.end('data: [DONE]\n\n')
  },
  broken: async (response, name) => {
    begin(response)
    response.write(`data: ${JSON.stringify(EVENTS[0])}\n\n`)
    await gate(`${name} 1`).promise
    if (response.stream) response.stream.destroy(new Error('broken'))
    else response.socket.destroy()
  },
}

function begin(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function respond(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://models')
  const name = searchParams.get('name')
  if (pathname === '/go-on') gate(name).resolve()
  if (pathname === '/arrived') await gate(`${name} arrived`).promise
  if (pathname === '/log') await Promise.all(log.map(({ closed }) => closed))
  if (pathname !== '/v1/chat/completions') return send(response, 200, log)
  const hash = createHash('sha256')
  const parts = []
  for await (const part of request) {
    hash.update(part)
    parts.push(part)
  }
  const { model, user } = JSON.parse(Buffer.concat(parts))
  const { host: _, ':authority': __, ...headers } = request.headers
  const entry = { user, method: request.method, headers, body: hash.digest('hex') }
  const closed = new Promise((resolve) => response.on('close', resolve))
  log.push(entry)
  Object.defineProperty(entry, 'closed', { value: closed.then(() => (entry.whole = response.writableFinished)) })
  gate(`${user} arrived`).resolve()
  await CASES[model](response, user)
}

const [key, cert] = process.argv.slice(2).map((file) => readFileSync(file))
const servers = [createServer(respond), createHttp2Server(respond), createTlsServer({ key, cert }, respond)]
for (const server of servers) await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const schemes = ['http', 'http', 'https']
console.log(servers.map((server, at) => `${schemes[at]}://127.0.0.1:${server.address().port}`).join(' '))
