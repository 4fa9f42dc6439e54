// Instruments openai as the preload does, with a provider that keeps no span: what stays is kept by the instrumentation.
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { hookModules } from '@svc/instrumentation/hook'
import { targets } from '@svc/instrumentation/targets'

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [] }))
hookModules([targets.openai])
