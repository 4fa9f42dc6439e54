// In a worker thread: what USE names.
import { createServer, get } from 'node:http'
import { createRequire } from 'node:module'
import { isMainThread, Worker } from 'node:worker_threads'

const require = createRequire(import.meta.url)

const USES = {
  nothing: () => {},
  'import of a library': () => import('./chat.mjs'),
  'require of a library': () => require('./chat.cjs'),
  async 'an observation'() {
    const { startActiveObservation } = await import('@svc/tracing')
    startActiveObservation('work', () => {})
  },
  async 'the AI SDK'() {
    const { generateText } = await import('ai')
    const { MockLanguageModelV4 } = await import('ai/test')
    const model = new MockLanguageModelV4({
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'Hello!' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
        warnings: [],
      }),
    })
    await generateText({ model, prompt: 'Say hello.' })
  },
  /** A bundled copy of the AI SDK reads the global, and nothing else shows that it is there. */
  'a bundled AI SDK': () => console.log(`integrations: ${globalThis.AI_SDK_TELEMETRY_INTEGRATIONS?.length}`),
  /** A bundled copy of a library has the same headers. */
  'a bundled library': async () => {
    const url = `${process.env.OPENAI_BASE_URL}/models`
    await fetch(url, { headers: { 'user-agent': 'OpenAI/JS 6.0.0' } }).then((response) => response.text())
  },
  async 'a request'() {
    const server = createServer(async (_, response) => {
      await import('./chat.mjs')
      response.end()
    }).listen(0, '127.0.0.1', () => {
      get({ port: server.address().port, agent: false }, (response) =>
        response.resume().on('end', () => server.close()),
      )
    })
  },
}

if (isMainThread) new Worker(new URL(import.meta.url))
else await USES[process.env.USE]()
