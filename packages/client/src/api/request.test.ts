import { expect, it } from 'vitest'
import { hostClock } from '../clock.ts'
import { callOf } from './request.ts'

const connection = {
  baseUrl: 'http://h',
  proxy: undefined,
  headers: {},
  timeoutInSeconds: 60,
  fetch: globalThis.fetch,
  clock: hostClock,
}

it.each([0, -1, Number.NaN])('a request timeout of %d s is replaced by that of the connection', (timeoutInSeconds) => {
  const options = { timeoutInSeconds }
  const given = { ...connection, timeoutInSeconds: 5 }
  const { timeoutMs } = callOf({ method: 'GET', path: '/health', query: {}, body: undefined, options }, given)
  expect(timeoutMs).toBe(5_000)
})

it('a request timeout beyond 2^31-1 ms is clamped to that', () => {
  const options = { timeoutInSeconds: 1e9 }
  const { timeoutMs } = callOf({ method: 'GET', path: '/health', query: {}, body: undefined, options }, connection)
  expect(timeoutMs).toBe(2 ** 31 - 1)
})
