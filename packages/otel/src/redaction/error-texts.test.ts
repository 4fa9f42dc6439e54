import { SpanStatusCode } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { exporting } from '../../test/support/tracing.ts'

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

it('what a span that did not fail says is redacted, too', async () => {
  const { tracer, exported } = exporting()
  const text = 'answered 404 to sk-proj-abc_DEF-1234'
  const span = tracer('ai').startSpan('s', { attributes: { 'svc.observation.status_message': text } })
  span.setStatus({ code: SpanStatusCode.OK, message: text })
  span.end()
  const [sent] = await exported()
  expect(sent?.attributes['svc.observation.status_message']).toBe('answered 404 to (hidden)')
  expect(sent?.status.message ?? '').not.toContain('sk-')
})

it('no error text of a span is longer than 64 KiB', async () => {
  const { tracer, exported } = exporting()
  const message = 'a'.repeat(200_000)
  const span = tracer('ai').startSpan('s', { attributes: { 'svc.observation.status_message': message } })
  span.recordException({ name: 'Error', message, stack: message })
  span.setStatus({ code: SpanStatusCode.ERROR, message })
  span.end()
  const [sent] = await exported()
  const texts = [sent?.status.message, ...Object.values({ ...sent?.attributes, ...sent?.events[0]?.attributes })]
  expect(texts.filter((text) => String(text).length > 65_536)).toHaveLength(0)
})

it('error texts of a span that did not fail are redacted, and its other attributes are not', async () => {
  const { tracer, exported } = exporting()
  tracer('ai')
    .startSpan('s', { attributes: { 'error.message': 'sk-not-to-be-seen', note: 'sk-written-by-the-user' } })
    .end()
  expect((await exported())[0]?.attributes).toMatchObject({
    'error.message': '(hidden)',
    note: 'sk-written-by-the-user',
  })
})
