// One client of bench/wire.mjs in a process of its own: asks the model, and tells what CPU one request took.
import { QUESTION } from './calls/said.mjs'

const [client, base] = process.argv.slice(2)
const BLOCK = 40
/** As many as are on their way where a server passes on 10,000 in a second. */
const AT_ONCE = 100
const WARM_UP = 800

const body = { model: 'gpt-test', messages: [{ role: 'user', content: QUESTION }] }
const post = (path) => async () => {
  const headers = { 'content-type': 'application/json' }
  await (await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}
const CLIENTS = {
  fetch: () => post('/chat/completions'),
  'fetch, not of a model': () => post('/orders'),
  [`fetch, not of a model, ${AT_ONCE} at once`]: () => {
    const one = post('/orders')
    return () => Promise.all(Array.from({ length: AT_ONCE }, one))
  },
  async axios() {
    const { default: axios } = await import('axios')
    return () => axios.post(`${base}/chat/completions`, body)
  },
  async 'openai 7'() {
    const { OpenAI } = await import('openai-7')
    const { completions } = new OpenAI({ apiKey: 'none', baseURL: base }).chat
    return () => completions.create(body)
  },
}
const call = await CLIENTS[client]()
const requests = client.endsWith('at once') ? AT_ONCE : 1

async function make(calls) {
  for (let n = 0; n < calls; n++) await call()
}

await make(WARM_UP / requests)
process.on('message', async () => {
  const before = process.cpuUsage()
  const calls = Math.ceil(BLOCK / requests)
  await make(calls)
  const { user, system } = process.cpuUsage(before)
  process.send((user + system) / calls / requests)
})
process.send('warm')
