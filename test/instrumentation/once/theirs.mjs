// Libraries that make spans themselves, in an application that has a provider of its own, one that drops all, or none.
// Prints what its exporter has of each case.
// node [--import …] theirs.mjs <model URL> [none|dropping]
import { OpenTelemetry } from '@ai-sdk/otel'
import { trace } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { AlwaysOffSampler, AlwaysOnSampler, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { registerTelemetry } from 'ai'
import { z } from 'zod'
import { modelThat } from '../ai-5/model.mjs'
import { anthropic, askAnthropic } from './clients.mjs'

const exporter = new InMemorySpanExporter()
const [url, own] = process.argv.slice(2)
const sampler = own === 'dropping' ? new AlwaysOffSampler() : new AlwaysOnSampler()
const sdk = new NodeSDK({
  spanProcessors: [new SimpleSpanProcessor({ exporter })],
  autoDetectResources: false,
  sampler,
})
const kit = { load: (name) => import(name), url }
// One of them is there before the provider.
const early = await anthropic(kit, 'anthropic-1')
const off = await anthropic(kit, 'anthropic-1', { openTelemetry: false })
if (own !== 'none') sdk.start()
registerTelemetry(new OpenTelemetry())

/** A call of a tool first, then as {@link modelThat} cites. */
function modelWithTool(version) {
  const model = modelThat('cites', { client: () => ({ specificationVersion: version }) })
  let asked = 0
  const call = { type: 'tool-call', toolCallId: 'call-1', toolName: 'weather', input: '{"city":"Paris"}' }
  const doGenerate = async (options) => {
    const answer = await model.doGenerate(options)
    asked += 1
    return asked > 1 ? answer : { ...answer, content: [call], finishReason: 'tool-calls' }
  }
  const doEmbed = async ({ values }) => ({ embeddings: values.map(() => [1, 2, 3]), usage: { tokens: 3 } })
  return { ...model, doGenerate, doEmbed, maxEmbeddingsPerCall: 9, supportsParallelCalls: true }
}

async function read({ textStream }, onText = () => {}) {
  let text = ''
  for await (const piece of textStream) {
    text += piece
    onText()
  }
  return text
}

const aiSdk = (name, version) => {
  const experimental_telemetry = { isEnabled: true, functionId: 'f', metadata: { userId: 'ada' } }
  const that = (ending) => modelThat(ending, { client: () => ({ specificationVersion: version }) })
  const prompt = 'How is the weather?'
  const load = () => import(name)
  const streamed = async (ending, reads, more = {}) => {
    const { streamText } = await load()
    const onError = () => {}
    return reads(streamText({ model: that(ending), prompt, onError, maxRetries: 0, experimental_telemetry, ...more }))
  }
  return {
    tool: async () => {
      const { generateText, stepCountIs, tool } = await load()
      const execute = async () => {
        trace.getActiveSpan()?.setAttribute('of.the.application', true)
        trace.getTracer('app').startSpan('inside').end()
        return 'sunny'
      }
      const weather = tool({ inputSchema: z.object({ city: z.string() }), execute })
      const stopWhen = stepCountIs(3)
      const model = modelWithTool(version)
      const { text } = await generateText({
        model,
        prompt,
        seed: 7,
        tools: { weather },
        stopWhen,
        experimental_telemetry,
      })
      return text
    },
    'off and on': async () => {
      const { generateText } = await load()
      const ask = (given) => generateText({ model: that('cites'), prompt, experimental_telemetry: given })
      await ask(undefined)
      await ask({ isEnabled: false })
      await ask({ isEnabled: true, recordInputs: false, recordOutputs: false })
    },
    vectors: async () => {
      const { embedMany } = await load()
      const headers = { 'x-secret': 'not to be seen' }
      await embedMany({ model: modelWithTool(version), values: ['a', 'b'], headers, experimental_telemetry })
    },
    read: () => streamed('cites', read),
    left: () => streamed('stalls', async ({ textStream }) => (await textStream[Symbol.asyncIterator]().next()).value),
    broken: () => streamed('breaks', read),
    aborted: () => {
      const controller = new AbortController()
      return streamed('stalls', (result) => read(result, () => controller.abort()), { abortSignal: controller.signal })
    },
  }
}

const mistral = async () => {
  const { Mistral } = await import('../mistral/node_modules/mistral-2/esm/index.js')
  return new Mistral({ serverURL: `${url}/mistral`, apiKey: 'sk-not-to-be-seen' })
}
const asked = { model: 'mistral-small', messages: [{ role: 'user', content: 'What is a span?' }] }

const LIBRARIES = {
  'ai 5': aiSdk('ai-5', 'v2'),
  'ai 6': aiSdk('ai-6', 'v3'),
  'ai 7': aiSdk('ai', 'v4'),
  anthropic: {
    plain: async () => askAnthropic(await anthropic(kit, 'anthropic-1')),
    'made before': () => askAnthropic(early),
    copied: () => askAnthropic(early.withOptions({ maxRetries: 1 })),
    'switched off before': () => askAnthropic(off),
    asked: async () => askAnthropic(await anthropic(kit, 'anthropic-1', { openTelemetry: { traces: true } })),
  },
  mistral: {
    chat: async () => (await (await mistral()).chat.complete(asked)).choices[0].message.content,
    conversation: async () =>
      (await (await mistral()).beta.conversations.start({ model: 'mistral-small', inputs: 'Hello.' })).outputs.length,
  },
}

/** Times and ids differ with each run. */
const VOLATILE = /(?:ms|avg|timestamp|duration|time_(?:to|per))|\.id$/i
const steady = ([name, value]) => [name, VOLATILE.test(name) ? typeof value : value]

for (const [library, cases] of Object.entries(LIBRARIES)) {
  for (const [title, does] of Object.entries(cases)) {
    exporter.reset()
    const result = await trace.getTracer('app').startActiveSpan('case', async (span) => {
      const seen = await does().catch(({ name, message }) => `${name}: ${message}`)
      span.end()
      return seen
    })
    const spans = exporter.getFinishedSpans()
    const nameOf = (id) => spans.find((span) => span.spanContext().spanId === id)?.name
    const told = spans.map(({ name, kind, attributes, status, events, links, parentSpanContext, ...span }) => ({
      name,
      within: nameOf(parentSpanContext?.spanId),
      scope: span.instrumentationScope.name,
      attributes: Object.entries(attributes).map(steady),
      events: events.map((event) => [event.name, Object.keys(event.attributes ?? {})]),
      members: Reflect.ownKeys(span).length,
      ...{ kind, status, links },
    }))
    console.log(JSON.stringify({ case: `${library}: ${title}`, result, told }))
  }
}
await sdk.shutdown()
