// A program that ends a span towards SVC_BASE_URL and has nothing else to do. `--flush`: its last line waits for a flush.
// `--before-exit`: it flushes whenever the event loop runs dry. `--many`: it ends more spans than fit the queue, and prints
// how many were dropped.
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { SvcSpanProcessor } from '@svc/otel'

const isMany = process.argv.includes('--many')
const processor = new SvcSpanProcessor(isMany ? { maxQueueBytes: 20_000 } : { flushAt: 1, timeout: 600 })
const tracer = new TracerProvider({ spanProcessors: [processor] }).getTracer('svc-sdk')
for (let at = isMany ? 1_000 : 1; at > 0; at--) tracer.startSpan('last').end()
if (isMany) processor.forceFlush().then(() => console.log(processor.health().dropped.queue_full))
if (process.argv.includes('--flush')) processor.forceFlush().then(() => console.log('flushed'))
if (process.argv.includes('--before-exit')) process.on('beforeExit', () => processor.forceFlush())
