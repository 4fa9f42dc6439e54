import { describe, expect, it } from 'vitest'
import { fakeClock } from '../test/support/clock.ts'
import { type HttpRequest, type HttpResponse, type HttpSender, NoResponseError } from './http-exchange.ts'
import { backoffMs, isRetriable, retrying } from './retry.ts'

const request: HttpRequest = { method: 'POST', url: 'http://x', headers: {}, body: new Uint8Array(), timeoutMs: 5_000 }
const status = (code: number, retryAfter?: string): HttpResponse => {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  return { status: code, headers, body: new Uint8Array(), complete: true }
}

/** A sender that gives these answers in turn, the last one for ever. */
function answering(...outcomes: (HttpResponse | Error)[]) {
  const timeouts: number[] = []
  const sender: HttpSender = {
    async send({ timeoutMs }) {
      timeouts.push(timeoutMs)
      const outcome = outcomes.length > 1 ? outcomes.shift() : outcomes[0]
      if (outcome instanceof Error) throw outcome
      return outcome as HttpResponse
    },
    close() {},
  }
  return { sender, timeouts }
}

it('pauses double up to the longest, and are a random part between the given ones', () => {
  const clock = fakeClock(0)
  const backoff = { firstMs: 1_000, longestMs: 5_000 }
  expect([0, 1, 2, 3, 9].map((failures) => backoffMs(failures, backoff, fakeClock(1)))).toEqual([
    1_000, 2_000, 4_000, 5_000, 5_000,
  ])
  expect([0, 1, 2, 3].map((failures) => backoffMs(failures, backoff, clock))).toEqual([500, 1_000, 2_000, 2_500])
  expect(backoffMs(0, { ...backoff, jitter: [0.9, 1.1] }, clock)).toBe(900)
})

it('responses with status 408, 425, 429 and 5xx are retried', () => {
  expect([200, 207, 301, 400, 401, 404, 408, 409, 422, 425, 429, 500, 501, 503].filter(isRetriable)).toEqual([
    408, 425, 429, 500, 501, 503,
  ])
})

describe('a retry of a request', () => {
  it.each([408, 429, 500, 502, 503, 504])('follows a %d', async (code) => {
    const { sender, timeouts } = answering(status(code), status(200))
    expect(await retrying(sender, fakeClock()).send(request)).toEqual(status(200))
    expect(timeouts).toHaveLength(2)
  })

  it.each([200, 202, 207, 301, 400, 401, 403, 404, 413])('does not follow a %d', async (code) => {
    const { sender, timeouts } = answering(status(code))
    expect(await retrying(sender, fakeClock()).send(request)).toEqual(status(code))
    expect(timeouts).toHaveLength(1)
  })

  it('follows a network error', async () => {
    const { sender } = answering(new Error('ECONNRESET'), status(200))
    expect(await retrying(sender, fakeClock()).send(request)).toEqual(status(200))
  })

  it('follows a doubling pause, within the timeout of the request', async () => {
    const clock = fakeClock()
    const { sender, timeouts } = answering(status(503))
    expect(await retrying(sender, clock).send(request)).toEqual(status(503))
    expect(clock.slept).toEqual([1_000, 2_000])
    expect(timeouts).toEqual([5_000, 4_000, 2_000])
  })

  it('is made as often as asked for', async () => {
    const { sender, timeouts } = answering(status(503))
    expect(await retrying(sender, fakeClock(), 1).send(request)).toEqual(status(503))
    expect(timeouts).toHaveLength(2)
  })

  it('respects Retry-After if it is before the deadline', async () => {
    const clock = fakeClock()
    const { sender } = answering(status(503, '3'), status(200))
    expect(await retrying(sender, clock).send(request)).toEqual(status(200))
    expect(clock.slept).toEqual([3_000])
  })

  it.each(['0', '1.5', 'Wed, 21 Oct 2015 07:28:00 GMT'])('is not immediate with Retry-After: %s', async (header) => {
    const clock = fakeClock()
    const { sender } = answering(status(503, header), status(503, header), status(200))
    await retrying(sender, clock).send(request)
    expect(clock.slept).toEqual([1_000, 2_000])
  })

  it('is skipped if Retry-After is beyond the deadline', async () => {
    const clock = fakeClock()
    const { sender, timeouts } = answering(status(503, '30'))
    expect(await retrying(sender, clock).send(request)).toEqual(status(503, '30'))
    expect([clock.slept, timeouts]).toEqual([[], [5_000]])
  })

  it('is skipped after the last attempt', async () => {
    const clock = fakeClock()
    const { sender } = answering(new NoResponseError(5_000))
    await expect(retrying(sender, clock).send(request)).rejects.toThrow(NoResponseError)
  })
})
