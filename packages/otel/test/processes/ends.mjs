// A program that ends a span towards SVC_BASE_URL and has nothing else to do. `--flush`: its last line waits for a flush.
// `--before-exit`: it flushes whenever the event loop runs dry.
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { SvcSpanProcessor } from '@svc/otel'

const holdProcess = !process.argv.includes('--no-hold')
const processor = new SvcSpanProcessor({ flushAt: 1, timeout: 60, holdProcess })
const provider = new TracerProvider({ spanProcessors: [processor] })
provider.getTracer('svc-sdk').startSpan('last').end()
if (process.argv.includes('--flush')) processor.forceFlush().then(() => console.log('flushed'))
if (process.argv.includes('--before-exit')) process.on('beforeExit', () => processor.forceFlush())
