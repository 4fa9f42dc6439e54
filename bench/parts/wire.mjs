// One client of bench/wire.mjs in a process of its own: asks the model, and tells what CPU one request took.
import { QUESTION } from './calls/said.mjs'

const [client, base] = process.argv.slice(2)
const BLOCK = 40
const WARM_UP = 800

const body = { model: 'gpt-test', messages: [{ role: 'user', content: QUESTION }] }
const post = (path) => async () => {
  const headers = { 'content-type': 'application/json' }
  await (await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}
const CLIENTS = {
  fetch: () => post('/chat/completions'),
  'fetch, not of a model': () => post('/orders'),
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

async function make(calls) {
  for (let n = 0; n < calls; n++) await call()
}

await make(WARM_UP)
process.on('message', async () => {
  const before = process.cpuUsage()
  await make(BLOCK)
  const { user, system } = process.cpuUsage(before)
  process.send((user + system) / BLOCK)
})
process.send('warm')
