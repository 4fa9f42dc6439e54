// Serves a route of a model API itself, by which it passes on to a model what it is asked, and asks its own route: each by
// `fetch` and by `node:http`. The argument is where the models are.
import { once } from 'node:events'
import { createServer, request } from 'node:http'

const [models] = process.argv.slice(2)
const path = '/v1/chat/completions'
const headers = { 'content-type': 'application/json' }

const ways = {
  fetch: async (url, body) => (await fetch(url + path, { method: 'POST', headers, body })).text(),
  http: async (url, body) => {
    const sending = request(url + path, { method: 'POST', headers })
    sending.end(body)
    const [response] = await once(sending, 'response')
    return (await response.setEncoding('utf8').toArray()).join('')
  },
}

const gateway = createServer(async (asked, answer) => {
  const body = (await asked.setEncoding('utf8').toArray()).join('')
  answer.end(await ways[JSON.parse(body).model](models, body))
})
// As by default on all addresses, where those of IPv4 look otherwise.
await once(gateway.listen(0), 'listening')
const own = `http://127.0.0.1:${gateway.address().port}`

for (const ask of Object.values(ways)) {
  for (const model of Object.keys(ways)) {
    const messages = [{ role: 'user', content: 'Say hello.' }]
    const { choices } = JSON.parse(await ask(own, JSON.stringify({ model, messages })))
    console.log(choices[0].message.role)
  }
}
gateway.close()
gateway.closeAllConnections()
