// An application with Sentry 8 to 11. The spans and errors that it sends are printed: up to 10 a span brings those below it.
import * as Sentry from '@sentry/node'

const spans = []
const errors = []
const READ = {
  event: ({ exception, contexts }) => errors.push({ message: exception.values[0].value, span: contexts.trace.span_id }),
  transaction: ({ transaction, contexts, spans: below }) =>
    spans.push({ name: transaction, ...contexts.trace }, ...below),
  span: ({ items }) => spans.push(...items),
}
const send = async ([, items]) => {
  for (const [{ type }, payload] of items) READ[type]?.(payload)
  return {}
}
const transport = () => ({ send, flush: async () => true })
Sentry.init({ dsn: 'http://public@127.0.0.1:9/1', tracesSampleRate: 1, transport })
const { serve } = await import('./serve.mjs')
await serve((work) =>
  Sentry.startSpan({ name: 'own work', op: 'task' }, async () => {
    const answer = await work()
    Sentry.captureException(new Error('on purpose'))
    return answer
  }),
)
await Sentry.flush()
const named = ({ description, name = description }) => name
const nameOf = (id) => named(spans.find(({ span_id }) => span_id === id) ?? {})
// Sentry reads those from files meanwhile: the first spans may leave before.
const stableNames = (attributes) => Object.keys(attributes).filter((name) => !name.startsWith('os.'))
for (const { parent_span_id, status, data = {}, attributes = data, ...span } of spans) {
  const origin = span.origin ?? attributes['sentry.origin']?.value
  console.log(named(span), 'in', nameOf(parent_span_id), status, origin, stableNames(attributes).sort())
}
for (const { message, span } of errors) console.log(message, 'in', nameOf(span))
