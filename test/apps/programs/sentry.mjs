// An application with Sentry. The spans and errors that it would send are printed.
import * as Sentry from '@sentry/node'

const spans = []
const errors = []
Sentry.init({
  dsn: 'http://public@127.0.0.1:9/1',
  tracesSampleRate: 1,
  beforeSendSpan(span) {
    spans.push(span)
    return span
  },
  beforeSend({ exception, contexts }) {
    errors.push({ message: exception.values[0].value, span: contexts.trace.span_id })
    return null
  },
})
const { serve } = await import('./serve.mjs')
await serve((work) =>
  Sentry.startSpan({ name: 'own work', op: 'task' }, async () => {
    const answer = await work()
    Sentry.captureException(new Error('on purpose'))
    return answer
  }),
)
await Sentry.flush()
const nameOf = (id) => spans.find(({ span_id }) => span_id === id)?.name
// Sentry reads those from files meanwhile: the first spans may leave before.
const stableNames = (attributes) => Object.keys(attributes).filter((name) => !name.startsWith('os.'))
for (const { name, parent_span_id, status, attributes } of spans)
  console.log(name, 'in', nameOf(parent_span_id), status, attributes['sentry.origin'], stableNames(attributes).sort())
for (const { message, span } of errors) console.log(message, 'in', nameOf(span))
