import { expect, it } from 'vitest'
import { type FailedAnswer, Retries } from './retries.ts'

const answered = (status: number | undefined, headers: Record<string, string> = {}): FailedAnswer => ({
  status,
  headers: new Headers(headers),
})

/** Retries over a clock that passes only while they wait, and what they waited for. */
function retrying(signal = new AbortController().signal) {
  const pauses: number[] = []
  let time = 0
  const sleep = async (ms: number) => {
    const end = time + ms
    pauses.push(ms)
    await new Promise(setImmediate)
    time = Math.max(time, end)
  }
  // Chance in the middle leaves a pause as it is.
  const clock = { now: () => time, random: () => 0.5, sleep }
  return { retries: new Retries(signal, (error) => error as FailedAnswer, clock), pauses, now: () => time }
}

/** Fails in these ways, one after the other, then succeeds. */
function failing(...failures: FailedAnswer[]) {
  let tries = 0
  return async () => {
    const failure = failures[tries++]
    if (failure) throw failure
    return tries
  }
}

it('a pause that the server requests is kept, by all requests', async () => {
  const { retries, pauses, now } = retrying()
  const times: number[] = []
  const limited = failing(answered(429, { 'retry-after': '30' }), answered(503, { 'retry-after': '7' }))
  const first = retries.with(limited)
  while (pauses.length === 0) await undefined
  const other = retries.with(async () => void times.push(now()))
  expect(await first).toBe(3)
  await other
  // The second answer came first, and made the pause longer.
  expect(times).toEqual([37_000])
  expect(pauses.slice(0, 2)).toEqual([30_000, 30_000])
})

it('without a requested pause it is 1 s, then twice as long each time, up to a minute', async () => {
  const { retries, pauses } = retrying()
  await retries.with(async () => {})
  const failures = [500, 408, undefined, 502, 503, 504, 500, 500].map((status) => answered(status))
  expect(await retries.with(failing(...failures))).toBe(9)
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
})

it('the ninth failure is the last, and a refusal is not retried', async () => {
  const { retries, pauses } = retrying()
  const failures = Array.from({ length: 9 }, (_, n) => answered(500 + n))
  await expect(retries.with(failing(...failures))).rejects.toMatchObject({ status: 508 })
  expect(pauses).toHaveLength(8)
  await expect(retries.with(failing(answered(400)))).rejects.toMatchObject({ status: 400 })
  expect(pauses).toHaveLength(8)
})

it('a server that never answered is not asked again', async () => {
  const { retries, pauses } = retrying()
  await expect(retries.with(failing(answered(undefined)))).rejects.toMatchObject({ status: undefined })
  expect(pauses).toEqual([])
})

it('an abort ends a pause with its reason', async () => {
  const controller = new AbortController()
  const { retries } = retrying(controller.signal)
  const request = async () => {
    queueMicrotask(() => controller.abort(new Error('stopped')))
    throw answered(500)
  }
  await expect(retries.with(request)).rejects.toThrow('stopped')
})
