import { SpanStatusCode } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { exporting } from '../test/support/tracing.ts'

/** What is delivered of a span that failed with this message, once for each place that repeats it. */
async function redactedAttributes(message: string): Promise<readonly unknown[]> {
  const { tracer, exported } = exporting()
  const span = tracer('ai').startSpan('s', { attributes: { 'svc.observation.status_message': message } })
  span.recordException({ name: 'Error', message, stack: `Error: ${message}\n    at call (app.js:1:1)` })
  span.setStatus({ code: SpanStatusCode.ERROR, message })
  span.end()
  const [sent] = await exported()
  const [event] = sent?.events ?? []
  const stack = String(event?.attributes?.['exception.stacktrace'])
  expect(stack).toMatch(/^Error: [\s\S]*\n {4}at call \(app\.js:1:1\)$/)
  const stackMessage = stack.slice('Error: '.length, stack.indexOf('\n    at'))
  return [
    ...new Set([
      sent?.status.message,
      sent?.attributes['svc.observation.status_message'],
      event?.attributes?.['exception.message'],
      stackMessage,
    ]),
  ]
}

it('an error of a span is redacted in every attribute that contains the key', async () => {
  expect(await redactedAttributes('Incorrect key sk-proj-abc_DEF-1234 provided')).toEqual([
    'Incorrect key (hidden) provided',
  ])
})

it('an error of a span without a key is unchanged', async () => {
  expect(await redactedAttributes('invalid api_key: none')).toEqual(['invalid api_key: none'])
})

it('attributes of a successful span are not redacted', async () => {
  const { tracer, exported } = exporting()
  tracer('ai')
    .startSpan('s', { attributes: { 'error.message': 'sk-not-to-be-seen' } })
    .end()
  expect((await exported())[0]?.attributes['error.message']).toBe('sk-not-to-be-seen')
})
