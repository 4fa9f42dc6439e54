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

it('a request timeout beyond 2^31-1 ms is clamped to that', () => {
  const options = { timeoutInSeconds: 1e9 }
  const { timeoutMs } = callOf({ method: 'GET', path: '/health', query: {}, body: undefined, options }, connection)
  expect(timeoutMs).toBe(2 ** 31 - 1)
})
