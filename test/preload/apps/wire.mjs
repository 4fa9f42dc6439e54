// Asks a model without any library, by `fetch` and by `node:http`, and sends a request that asks none. The argument is
// where the models are.
import { once } from 'node:events'
import { request } from 'node:http'

const [url] = process.argv.slice(2)
const messages = [{ role: 'user', content: 'Say hello.' }]
const body = JSON.stringify({ model: 'gpt-4o-mini', messages })
const headers = { 'content-type': 'application/json' }

const fetched = await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).json()

const sending = request(`${url}/v1/chat/completions`, { method: 'POST', headers })
sending.end(body)
const [response] = await once(sending, 'response')
let text = ''
for await (const chunk of response.setEncoding('utf8')) text += chunk

await (await fetch(`${url}/v1/models`)).text()
const [one, other] = [fetched, JSON.parse(text)].map(({ choices }) => JSON.stringify(choices))
console.log(one === other ? 'same bytes' : `${one}\n${other}`)
