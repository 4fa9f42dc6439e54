// Asks its own route twice, which passes on what it is asked to a model. The arguments are where the models are, and the server.
import { createServer } from 'node:http'

const PATH = '/v1/chat/completions'
const [models, kind] = process.argv.slice(-2)
const headers = { 'content-type': 'application/json' }
const ask = async (origin, body) => (await fetch(origin + PATH, { method: 'POST', headers, body })).text()
const web = async (request) => new Response(await ask(models, await request.text()))

let port
if (kind === 'node:http') {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.end(await ask(models, body))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  ;({ port } = server.address())
} else if (globalThis.Bun) {
  ;({ port } = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: web }))
} else {
  ;({ port } = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, web).addr)
}
for (const model of ['first', 'second']) {
  const messages = [{ role: 'user', content: 'Say hello.' }]
  console.log(await ask(`http://127.0.0.1:${port}`, JSON.stringify({ model, messages })))
}
process.exit()
