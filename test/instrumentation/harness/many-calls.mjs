// Makes so many calls of the library as the arguments say, and prints by how many KiB the heap has grown, and how many
// calls are still open. The model answers at once, inside the process. Run with --expose-gc. The third argument is how
// much may stay: something more is waited for.
import { libraries } from '../hostile/libraries.mjs'
import { requestHandler } from './remembered-fetch.mjs'

const [library, count, limit = Number.POSITIVE_INFINITY] = process.argv.slice(2)
const url = process.env.MODEL_URL
const QUESTION = 'What is it that you do here? '.repeat(700)
const nothing = async () => {}

/** Libraries that are asked in another way. */
const OTHERS = {
  async 'ai-5'() {
    const { load, connect } = await import('../ai-5/cases.mjs')
    const exports = await load.import('ai-5')
    const client = connect({ exports, url })
    const params = (model, prompt) => ({ model: client.chat(model), prompt, maxRetries: 0, onError() {} })
    const stream = async (model, prompt) => exports.streamText(params(model, prompt)).textStream
    return { ask: (model, prompt) => exports.generateText(params(model, prompt)), stream }
  },
  async agents() {
    const { load } = await import('../agents/cases.mjs')
    const { Agent, OpenAIProvider, Runner, setTraceProcessors } = await load.import('agents-0.20')
    setTraceProcessors([])
    const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL: `${url}/v1`, useResponses: false })
    const runner = new Runner({ modelProvider })
    const run = (model, question, options) => runner.run(new Agent({ name: 'Guide', model }), question, options)
    return { ask: run, stream: (model, question) => run(model, question, { stream: true }) }
  },
  async mcp() {
    const { load, connect } = await import('../mcp/cases.mjs')
    const client = await connect({ exports: await load.import('mcp-1.32') })
    const call = (name) => client.callTool({ name, arguments: { city: 'Paris' } })
    return { ask: (model) => call(model === 'error-400' ? 'broken' : 'weather') }
  },
}
// The client of Ollama keeps every stream that is not read to its end.
const abandons = library !== 'ollama'
const { ask, stream } = await { ...libraries, ...OTHERS }[library]({ requestHandler })

/** A call, a stream, one that is left early, one that is abandoned, and an error, in turn. */
const WAYS = [
  () => ask('gpt-test', QUESTION),
  () => ask('error-400', QUESTION).catch(nothing),
  ...(stream
    ? [
        async () => {
          for await (const _ of await stream('gpt-test', QUESTION));
        },
        async () => {
          for await (const _ of await stream('gpt-test', QUESTION)) break
        },
        async () => {
          if (abandons) await stream('gpt-test', QUESTION)
        },
      ]
    : []),
]

async function make(calls) {
  for (let n = 0; n < calls; n++) {
    await WAYS[n % WAYS.length]()
    if (n % 100 === 0) await new Promise(setImmediate)
  }
}

/** What lives once everything that nobody can read any more was collected, in KiB: some of it after seconds. */
async function heap(enough = Number.POSITIVE_INFINITY) {
  for (let round = 0; ; round++) {
    globalThis.gc()
    await new Promise((resolve) => setTimeout(resolve, 5))
    const used = process.memoryUsage().heapUsed / 1024
    if (round === 1_000 || (round > 20 && !open() && used < enough)) return used
  }
}

function open() {
  return globalThis[Symbol.for('svc.open-calls.6')]?.size
}

await make(Number(count) / 2)
const before = await heap()
const cpu = process.threadCpuUsage()
await make(Number(count))
const { user, system } = process.threadCpuUsage(cpu)
const grown = (await heap(before + Number(limit))) - before
const result = JSON.stringify({ grown, open: open(), micros: (user + system) / Number(count) })
process.stdout.write(result, () => process.kill(process.pid, 'SIGKILL'))
