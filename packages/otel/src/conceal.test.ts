import { SpanStatusCode } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { exporting } from '../test/support/tracing.ts'

/** What is delivered of a span that failed with this message, once for each place that repeats it. */
async function told(message: string): Promise<readonly unknown[]> {
  const { tracer, exported } = exporting()
  const span = tracer('ai').startSpan('s', { attributes: { 'svc.observation.status_message': message } })
  span.recordException({ name: 'Error', message, stack: `Error: ${message}\n    at call (app.js:1:1)` })
  span.setStatus({ code: SpanStatusCode.ERROR, message })
  span.end()
  const [sent] = await exported()
  const [event] = sent?.events ?? []
  const stack = String(event?.attributes?.['exception.stacktrace'])
  expect(stack).toMatch(/^Error: [\s\S]*\n {4}at call \(app\.js:1:1\)$/)
  const said = stack.slice('Error: '.length, stack.indexOf('\n    at'))
  return [
    ...new Set([
      sent?.status.message,
      sent?.attributes['svc.observation.status_message'],
      event?.attributes?.['exception.message'],
      said,
    ]),
  ]
}

it.each([
  ['Incorrect key sk-proj-abc_DEF-1234 provided', 'Incorrect key (hidden) provided'],
  ['no such key: AIzaSyA-1234567890abcdefghijk_lmn', 'no such key: (hidden)'],
  ['401 {"authorization":"Bearer abc.DEF-123"}', '401 {"authorization":"Bearer (hidden)"}'],
  ['401 {\\"x-api-key\\":\\"0123456789abcdef\\"}', '401 {\\"x-api-key\\":\\"(hidden)\\"}'],
  ['Authorization: Basic dXNlcjpwYXNz refused', 'Authorization: Basic (hidden) refused'],
  ['sent Bearer 0123456789abcdef', 'sent Bearer (hidden)'],
  ['GET https://host/v1?key=0123456789&alt=sse failed', 'GET https://host/v1?key=(hidden)&alt=sse failed'],
  ['cannot reach https://user:pass@host/v1', 'cannot reach https://user:(hidden)@host/v1'],
])('%s', async (message, hidden) => {
  expect(await told(message)).toEqual([hidden])
})

it.each([
  'Incorrect API key provided: sk-ab***yz',
  'the bearer understands nothing, a risk-taking-basic misunderstanding: co-operation',
  'invalid api_key: none',
  'at https://host:8080/v1@2/models',
  'The token limit is 128000; the key: a shorter prompt',
])('what holds no key is told as it is: %s', async (message) => {
  expect(await told(message)).toEqual([message])
})

it('a megabyte of what begins like a key is read to its end', async () => {
  const hostile = 'Bearer a api_key://:'.repeat(50_000)
  expect(await told(hostile)).toHaveLength(1)
})

it('what the application wrote of a span that went well stays', async () => {
  const { tracer, exported } = exporting()
  tracer('ai')
    .startSpan('s', { attributes: { 'error.message': 'sk-not-to-be-seen' } })
    .end()
  expect((await exported())[0]?.attributes['error.message']).toBe('sk-not-to-be-seen')
})
