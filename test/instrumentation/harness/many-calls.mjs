// Calls a model that answers at once, inside the process, so many times as the argument says, and prints by how many KiB
// the heap has grown. Run with --expose-gc, under only-calls.mjs.
import OpenAI from 'openai'

const calls = Number(process.argv[2])
const choice = { index: 0, message: { role: 'assistant', content: 'Hello. '.repeat(100) }, finish_reason: 'stop' }
const answer = JSON.stringify({ id: 'chatcmpl-1', model: 'gpt-test', choices: [choice] })
const chunk = { id: 'chatcmpl-1', model: 'gpt-test', choices: [{ index: 0, delta: { content: 'Hello.' } }] }
const event = `data: ${JSON.stringify(chunk)}\n\n`
const events = `${event.repeat(5)}data: [DONE]\n\n`
const fetch = async (_, { body }) =>
  body.includes('"stream":true')
    ? new Response(events, { headers: { 'content-type': 'text/event-stream' } })
    : new Response(answer, { headers: { 'content-type': 'application/json' } })
const client = new OpenAI({ apiKey: 'none', fetch })
const about = { model: 'gpt-test', messages: [{ role: 'user', content: 'What is it that you do here? '.repeat(20) }] }

/** A call, a stream, a stream that is left early, one that is abandoned, and an error, in turn. */
const WAYS = [
  () => client.chat.completions.create(about),
  async () => {
    for await (const _ of await client.chat.completions.create({ ...about, stream: true }));
  },
  async () => {
    for await (const _ of await client.chat.completions.create({ ...about, stream: true })) break
  },
  () => client.chat.completions.create({ ...about, stream: true }),
  () => client.chat.completions.create(undefined).catch(() => {}),
]

async function make(count) {
  for (let n = 0; n < count; n++) {
    await WAYS[n % WAYS.length]()
    if (n % 100 === 0) await new Promise(setImmediate)
  }
}

async function heap() {
  for (let round = 0; round < 20; round++) {
    globalThis.gc()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return process.memoryUsage().heapUsed / 1024
}

await make(calls / 10)
const before = await heap()
await make(calls)
console.log(JSON.stringify({ grown: (await heap()) - before, open: globalThis[Symbol.for('svc.open-calls.6')].size }))
