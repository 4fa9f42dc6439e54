import { expect, it } from 'vitest'
import { describeFailure, isCancellation } from './error.ts'

class RateLimitError extends Error {}
class APIUserAbortError extends Error {}

it.each<[error: unknown, type: string]>([
  [new RateLimitError('why'), 'RateLimitError'],
  [new Error('why'), 'Error'],
  [Object.assign(new Error('why'), { name: 'Throttled' }), 'Throttled'],
  [new (class extends TypeError {})('why'), 'TypeError'],
  [Object.assign(new Error('why'), { name: '' }), '_OTHER'],
  ['why', '_OTHER'],
])('the error type of %o is %s', (error, type) => {
  const { message, attributes, exception } = describeFailure(error)
  expect({ message, attributes, exception }).toEqual({
    message: 'why',
    attributes: { 'error.type': type },
    exception: { name: type, message: 'why' },
  })
})

it.each([{ status: 429 }, { statusCode: 429 }, { status_code: 429 }, { $metadata: { httpStatusCode: 429 } }])(
  'the HTTP status of an error is found in %o',
  (fields) => {
    const { attributes } = describeFailure(Object.assign(new Error('why'), fields))
    expect(attributes['http.response.status_code']).toBe(429)
  },
)

it('error messages are truncated and have no secrets, and short words are kept', () => {
  const message = `no access by my-own-secret at all ${'x'.repeat(3_000)}`
  const recorded = describeFailure(new Error(message), ['my-own-secret', 'all']).message
  expect(recorded).toMatch(/^no access by \(hidden\) at all x+…$/)
  expect(recorded).toHaveLength(2_000)
})

it.each<[error: unknown, byCaller: boolean]>([
  [AbortSignal.abort().reason, true],
  [new APIUserAbortError('why'), true],
  [new Error('Request was aborted.'), true],
  [new Error('why'), false],
  [{ name: 'AbortError' }, false],
])('the error %o is a cancellation: %s', (error, byCaller) => {
  expect(isCancellation(error)).toBe(byCaller)
})
