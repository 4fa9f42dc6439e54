// One variant of bench/observation.mjs in a process of its own: makes observations, or spans with the same attributes,
// and prints the CPU that one of them took.
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { startActiveObservation } from '@svc/tracing'

const [variant, size] = process.argv.slice(2)
const kilobytes = Number(size)

/** The span of which we look at the attributes: both variants must write the same. */
let last
const watch = {
  onStart(span) {
    last = span
  },
  onEnd() {},
  forceFlush: async () => {},
  shutdown: async () => {},
}
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [watch] }))

const input =
  kilobytes === 0
    ? undefined
    : [{ role: 'user', content: 'What is it that you do here? '.repeat(kilobytes * 36).slice(0, kilobytes * 1024) }]
const output = { role: 'assistant', content: 'This and that.' }
const modelParameters = { temperature: 0.5, max_tokens: 200 }
const usageDetails = { input: 1000, output: 500 }
const metadata = { plan: 'pro', seats: 5 }
const tracer = trace.getTracer('svc-sdk', '6.0.0')

function update(generation) {
  generation.update({ input, output, model: 'gpt-test', modelParameters, usageDetails, metadata })
}

function write(span) {
  span.setAttributes({
    ...(input ? { 'svc.observation.input': JSON.stringify(input) } : {}),
    'svc.observation.output': JSON.stringify(output),
    'svc.observation.model.name': 'gpt-test',
    'svc.observation.model.parameters': JSON.stringify(modelParameters),
    'svc.observation.usage_details': JSON.stringify(usageDetails),
    'svc.observation.metadata.plan': JSON.stringify(metadata.plan),
    'svc.observation.metadata.seats': JSON.stringify(metadata.seats),
  })
}

const started = { attributes: { 'svc.observation.type': 'generation' } }
const asType = { asType: 'generation' }

/** What careful code does around a span of its own. */
const failed = (span, error) => {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
  throw error
}

const VARIANTS = {
  'raw sync': () =>
    tracer.startActiveSpan('chat gpt-test', started, (span) => {
      try {
        write(span)
      } catch (error) {
        failed(span, error)
      } finally {
        span.end()
      }
    }),
  'svc sync': () => startActiveObservation('chat gpt-test', update, asType),
  'raw async': () =>
    tracer.startActiveSpan('chat gpt-test', started, async (span) => {
      try {
        await undefined
        write(span)
      } catch (error) {
        failed(span, error)
      } finally {
        span.end()
      }
    }),
  'svc async': () =>
    startActiveObservation(
      'chat gpt-test',
      async (generation) => {
        await undefined
        update(generation)
      },
      asType,
    ),
}

const one = VARIANTS[variant]

/** A server turns to its sockets now and then; what weak references hold is let go only there. */
async function make(observations) {
  for (let n = 1; n <= observations; n++) {
    await one()
    if (n % 50 === 0) await new Promise(setImmediate)
  }
}

const OBSERVATIONS = kilobytes > 16 ? 5_000 : 40_000
await make(OBSERVATIONS / 4)
const before = process.threadCpuUsage()
await make(OBSERVATIONS)
const { user, system } = process.threadCpuUsage(before)
const { attributes, ended } = last
console.log(
  JSON.stringify({
    main: (user + system) / OBSERVATIONS,
    written: ended ? Object.entries(attributes).toSorted().join().length : Number.NaN,
  }),
)
