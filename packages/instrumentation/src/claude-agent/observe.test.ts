import { afterEach, beforeAll, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { observing } from './observe.ts'

beforeAll(recordSpans)
afterEach(forgetSpans)

it('what a query throws at once is thrown, and recorded', () => {
  const query = observing.query?.(() => {
    throw new RangeError('no')
  })
  expect(() => query?.({ prompt: 'Hi' })).toThrow('no')
  expect(finishedSpans().map(({ status }) => status.message)).toEqual(['no'])
})

it.each([undefined, null, 7, {}])('a query may give %j', (given) => {
  expect(observing.query?.(() => given)({ prompt: 'Hi' })).toBe(given)
})
