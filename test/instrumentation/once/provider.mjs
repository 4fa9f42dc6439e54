// An application's own set-up of OpenTelemetry, with our processor in it.
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { SvcSpanProcessor } from '@svc/otel'

const provider = new TracerProvider({ spanProcessors: [new SvcSpanProcessor()] })
trace.setGlobalTracerProvider(provider)
globalThis.flush = () => provider.forceFlush()
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
