// What every server of this folder offers, and how it is reached: `node <server>.mjs stdio`, or `http`, on a port that it prints.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import OpenAI from 'openai'

export const text = (content) => ({ content: [{ type: 'text', text: content }] })

export async function ask() {
  const messages = [{ role: 'user', content: 'How is the weather?' }]
  const { choices } = await new OpenAI().chat.completions.create({ model: 'gpt-test', messages })
  return text(choices[0].message.content)
}

/** @param handle answers requests as Node or, with one parameter, as the web has them */
export function listen(handle) {
  const server = createServer(handle.length > 1 ? handle : (request, response) => answer(handle, request, response))
  server.listen(0, '127.0.0.1', () => console.error(`listening on ${server.address().port}`))
}

async function answer(handle, request, response) {
  const { url, method, headers } = request
  const body = method === 'POST' ? Readable.toWeb(request) : undefined
  const {
    status,
    headers: given,
    body: stream,
  } = await handle(new Request(`http://${headers.host}${url}`, { method, headers, body, duplex: 'half' }))
  response.writeHead(status, Object.fromEntries(given))
  if (stream) Readable.fromWeb(stream).pipe(response)
  else response.end()
}

/** Without an end: its timer would keep a server of version 1 alive. */
export const TASK = { ttl: null, pollInterval: 10 }
/** What goes on in tasks. */
export const WORK = {
  ask,
  broken: () => new Promise((end) => setImmediate(end, { ...text('no such city'), isError: true })),
  endless: () => new Promise(() => {}),
}
