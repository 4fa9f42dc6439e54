// One variant of bench/instrumentation.mjs in a process of its own: calls a model that answers at once, inside the
// process, and prints the CPU that one call took, and what it left behind. 4 KB go in, 2 KB come out, streams have 100 chunks; nothing is exported.
import { createRequire } from 'node:module'
import { context, metrics, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { TracerProvider } from '@opentelemetry/sdk-trace'

const [variant, library, mode] = process.argv.slice(2)
const require = createRequire(import.meta.url)

const INSTRUMENT = {
  none: () => {},
  svc: (exports) => require('@svc/instrumentation/openai').instrumentOpenAI(exports),
  openinference: (exports) => {
    const { OpenAIInstrumentation } = require('@arizeai/openinference-instrumentation-openai')
    new OpenAIInstrumentation().manuallyInstrument(exports.OpenAI)
  },
  contrib: (exports) => {
    const { OpenAIInstrumentation } = require('@opentelemetry/instrumentation-openai')
    const instrumentation = new OpenAIInstrumentation({ captureMessageContent: true })
    // Without one it throws into each stream of the application.
    instrumentation.setMeterProvider(metrics.getMeterProvider())
    const [definition] = instrumentation.getModuleDefinitions()
    definition.patch(exports, '6.49.0')
  },
}

if (variant !== 'none') {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [] }))
}
const exports = require(library)
INSTRUMENT[variant](exports)

const said = 'This and that, all day. '.repeat(85)
const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 }
const head = { id: 'chatcmpl-1', created: 1, model: 'gpt-test' }
const choice = { index: 0, message: { role: 'assistant', content: said }, finish_reason: 'stop' }
const answer = JSON.stringify({ ...head, object: 'chat.completion', choices: [choice], usage })
const CHUNKS = 100
const events = Array.from({ length: CHUNKS }, (_, index) => {
  const delta = { content: said.slice(index * 20, index * 20 + 20) }
  const finish_reason = index === CHUNKS - 1 ? 'stop' : null
  return `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
})
const body = new TextEncoder().encode(`${events.join('')}data: [DONE]\n\n`)

const json = { headers: { 'content-type': 'application/json' } }
const sse = { headers: { 'content-type': 'text/event-stream' } }
const fetch = async () => (mode === 'stream' ? new Response(body, sse) : new Response(answer, json))
const client = new exports.OpenAI({ apiKey: 'none', baseURL: 'http://127.0.0.1:9/v1', fetch })
const messages = [{ role: 'user', content: 'What is it that you do here? '.repeat(140) }]

async function call() {
  if (mode !== 'stream') return client.chat.completions.create({ model: 'gpt-test', messages, temperature: 0.5 })
  for await (const _ of await client.chat.completions.create({ model: 'gpt-test', messages, stream: true }));
}

async function make(calls) {
  for (let n = 1; n <= calls; n++) {
    await call()
    if (n % 50 === 0) await new Promise(setImmediate)
  }
}

const CALLS = { plain: 15_000, stream: 2_000, memory: 100_000 }[mode]
await make(Math.min(CALLS / 3, 5_000))
const heap = settledHeap()
const before = process.threadCpuUsage()
await make(CALLS)
const { user, system } = process.threadCpuUsage(before)
console.log(JSON.stringify({ micros: (user + system) / CALLS, kept: settledHeap() - heap }))

/** What lives, in KiB; only with --expose-gc. */
function settledHeap() {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1024
}
