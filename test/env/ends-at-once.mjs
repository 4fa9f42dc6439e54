// Ends one span, and then the process, before anything that was begun in the background is done.
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { SvcSpanProcessor } from '@svc/otel'

const provider = new TracerProvider({ spanProcessors: [new SvcSpanProcessor()] })
provider.getTracer('svc-sdk').startSpan('at once').end()
// What others left is looked for in a microtask.
await null
process.exit()
