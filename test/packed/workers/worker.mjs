// A Worker with a provider of its own, which records a tree and a score for each request.

import { AsyncLocalStorage } from 'node:async_hooks'
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { SvcClient } from '@svc/client'
import { SvcSpanProcessor } from '@svc/otel'
import { propagateAttributes, startActiveObservation } from '@svc/tracing'

const storage = new AsyncLocalStorage()
context.setGlobalContextManager({
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (active, work, self, ...args) => storage.run(active, () => work.apply(self, args)),
})
let processor
let client

export default {
  async fetch(request, bindings, worker) {
    const env = (name) => bindings[name]
    if (!processor) {
      processor = new SvcSpanProcessor({ env })
      client = new SvcClient({ env })
      trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }))
    }
    const flushed = () => Promise.all([processor.forceFlush(), client.flush()])
    if (request.url.endsWith('/flush')) return flushed().then(() => new Response())
    const outer = await propagateAttributes({ userId: 'ada' }, () =>
      startActiveObservation('outer', async (span) => {
        await Promise.all(['a', 'b'].map((name) => startActiveObservation(name, () => scheduler.wait(1))))
        return span
      }),
    )
    client.score.create({ traceId: outer.traceId, name: 'of a worker', value: 1 })
    // Without `waitUntil` the runtime ends what is under way with the request.
    if (request.url.endsWith('/cut-off')) void flushed()
    else worker.waitUntil(flushed())
    return new Response(outer.traceId)
  },
}
