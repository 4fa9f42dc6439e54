// A provider for observations alone, beside the global one: MODE says whose global one that is.
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { SvcSpanProcessor } from '@svc/otel'
import { getSvcTracerProvider, setSvcTracerProvider, startActiveObservation, startObservation } from '@svc/tracing'

const providerFor = (environment) =>
  new TracerProvider({ spanProcessors: [new SvcSpanProcessor({ environment, shouldExportSpan: () => true })] })

const own = process.env.MODE === 'own' ? providerFor('global') : undefined
if (own) {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(own)
}

const isolated = providerFor('isolated')
setSvcTracerProvider(isolated)
console.log(getSvcTracerProvider() === isolated)
await trace.getTracer('svc-sdk').startActiveSpan('theirs', async (span) => {
  await startActiveObservation('ours', async () => {
    await new Promise(setImmediate)
    trace.getTracer('svc-sdk').startSpan('theirs inside').end()
  })
  span.end()
})
setSvcTracerProvider(null)
console.log(getSvcTracerProvider() !== isolated)
startObservation('ours, back on the global one').end()
await isolated.shutdown()
await own?.shutdown()
