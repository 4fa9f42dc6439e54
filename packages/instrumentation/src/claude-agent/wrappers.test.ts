import { afterEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { wrappers } from './wrappers.ts'

recordSpans()
afterEach(forgetSpans)

it('a synchronous error of a Claude query is thrown and recorded', () => {
  const query = wrappers.query?.(() => {
    throw new RangeError('no')
  })
  expect(() => query?.({ prompt: 'Hi' })).toThrow('no')
  expect(finishedSpans().map(({ status }) => status.message)).toEqual(['no'])
})

it.each([undefined, null, 7, {}])('a Claude query may return %j', (given) => {
  expect(wrappers.query?.(() => given)({ prompt: 'Hi' })).toBe(given)
})
