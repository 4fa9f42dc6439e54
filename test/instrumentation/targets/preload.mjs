// Hooks openai and keeps the spans; at the end they are said on stderr, so that stdout is the application's alone.
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { hookModules } from '@svc/instrumentation/hook'
import { TARGETS } from '@svc/instrumentation/targets'

const exporter = new InMemorySpanExporter()
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
hookModules(TARGETS.openai)

process.on('exit', () => {
  const spans = exporter.getFinishedSpans().map(({ name, status }) => `${name}${status.code === 2 ? ' failed' : ''}`)
  console.error(`spans: ${spans.join(', ')}`)
})
