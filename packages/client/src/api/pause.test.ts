import { expect, it } from 'vitest'
import { pauseBefore } from './pause.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const clock = (random = 0.5) => ({ now: () => NOW, random: () => random, sleep: async () => {} })

it.each<[headers: Record<string, string>, ms: number]>([
  [{ 'retry-after': '3' }, 3_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7_000],
  [{ 'retry-after': '3600' }, 60_000],
  [{ 'retry-after': 'soon' }, 1_000],
  [{ 'retry-after': '0' }, 1_000],
  [{ 'retry-after': 'Thu, 01 Jan 2015 00:00:00 GMT' }, 1_000],
  [{ 'retry-after': '2', 'x-ratelimit-reset': String(NOW / 1_000 + 10) }, 2_000],
  [{ 'x-ratelimit-reset': String(NOW / 1_000 + 10) }, 11_000],
  [{ 'x-ratelimit-reset': 'Thu, 01 Jan 2026 00:00:10 GMT' }, 11_000],
  [{ 'x-ratelimit-reset': String(NOW / 1_000 + 3_600) }, 60_000],
  [{}, 1_000],
])('a response with the headers %j requests a pause of %i ms', (headers, ms) => {
  expect(pauseBefore(0, new Headers(headers), clock())).toBe(ms)
})

it('if the service requests no pause, pauses double, with 10 % jitter, up to a minute', () => {
  const none = new Headers()
  expect([0, 1, 2, 3].map((retry) => pauseBefore(retry, none, clock()))).toEqual([1_000, 2_000, 4_000, 8_000])
  expect(pauseBefore(1, none, clock(0))).toBeCloseTo(1_800)
  expect(pauseBefore(1, none, clock(1))).toBeCloseTo(2_200)
  expect(pauseBefore(9, none, clock())).toBe(60_000)
})
