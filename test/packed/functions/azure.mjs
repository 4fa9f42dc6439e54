import { app } from '@azure/functions'
import { trace } from '@opentelemetry/api'
import { startActiveObservation } from '@svc/tracing'
import { ask } from './ask.mjs'

app.hook.preInvocation((hook) => {
  const { functionHandler, invocationContext } = hook
  hook.functionHandler = (...args) =>
    startActiveObservation(invocationContext.functionName, () => functionHandler(...args))
})
app.hook.postInvocation(() => trace.getTracerProvider().getDelegate().forceFlush?.())

app.http('ask', { handler: async ({ query }) => ({ jsonBody: await ask(query.get('user')) }) })
