// Serves a route of a model API itself, by which it passes on to a model what it is asked, and asks its own route: each by
// `fetch`, by `node:http`, and by `openai`. A model that is none it answers itself. The argument is where the models are.
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { startActiveObservation } from '@svc/tracing'
import express from 'express'
import { OpenAI } from 'openai'

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
  openai: async (url, body) => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-test' })
    return JSON.stringify(await client.chat.completions.create(JSON.parse(body)))
  },
}
const mock = async () => JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Hello.' } }] })

const app = express().post(path, express.text({ type: '*/*' }), ({ body }, answer, next) =>
  // An observation between the two calls does not hide that the one is made for the other.
  startActiveObservation('pass on', () => (ways[JSON.parse(body).model] ?? mock)(models, body)).then(
    (text) => answer.type('json').send(text),
    next,
  ),
)
const gateway = createServer(app)
// As by default on all addresses, where those of IPv4 look otherwise.
await once(gateway.listen(0), 'listening')
const own = `http://127.0.0.1:${gateway.address().port}`

for (const ask of Object.values(ways)) {
  for (const model of [...Object.keys(ways), 'mock']) {
    const messages = [{ role: 'user', content: 'Say hello.' }]
    const { choices } = JSON.parse(await ask(own, JSON.stringify({ model, messages })))
    console.log(choices[0].message.role)
  }
}
gateway.close()
gateway.closeAllConnections()
