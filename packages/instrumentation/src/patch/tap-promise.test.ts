import { expect, it } from 'vitest'
import { promiseTap, type SettledHandler, tapPromise } from './tap-promise.ts'

const FAILING: SettledHandler = {
  value() {
    throw new Error('cannot be read')
  },
  error() {
    throw new Error('cannot be described')
  },
}
const TAPS = [(promise: PromiseLike<unknown>) => tapPromise(promise, FAILING), promiseTap(FAILING)]

it.each(TAPS)('who waits for a promise gets its value or its reason, also if the observer fails', async (tap) => {
  expect(await tap(Promise.resolve('answer'))).toBe('answer')
  const reason = new Error('refused')
  await expect(tap(Promise.reject(reason))).rejects.toBe(reason)
})

it('what is no promise is not observed', () => {
  expect(tapPromise('answer', FAILING)).toBe('answer')
})
