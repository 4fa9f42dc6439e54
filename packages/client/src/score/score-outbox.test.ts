import type { HttpResponse } from '@svc/core/http-exchange'
import type { Outgoing } from '@svc/core/outbox'
import { DIRECT } from '@svc/core/transport'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ScoreOutbox } from './score-outbox.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const FIRST = ['one', 'two']
const SECOND = ['three']
const DOWN = new Error('connect ECONNREFUSED')

const response = (status: number, headers: HttpResponse['headers'] = {}): HttpResponse => ({
  status,
  headers,
  body: new Uint8Array(),
  complete: true,
})

/** An outbox with these batches, and the final answers it was told of. */
function outboxWith(...batches: readonly (readonly string[])[]) {
  const answers: { batch: readonly string[]; status: number }[] = []
  const outbox = new ScoreOutbox(batches, {
    transport: DIRECT,
    requestOf: (batch) => ({
      method: 'POST',
      url: 'http://svc.test/api/public/scores',
      headers: {},
      body: new TextEncoder().encode(batch.join()),
      timeoutMs: 5_000,
    }),
    onAnswer: (batch, { status }) => answers.push({ batch, status }),
  })
  return { outbox, answers }
}

const bodyOf = (outgoing: Outgoing | undefined) => outgoing && new TextDecoder().decode(outgoing.request.body)

describe('batches', () => {
  it('are taken one after the other, as they came', () => {
    const { outbox } = outboxWith(FIRST, SECOND)
    expect([outbox.take(), outbox.take(), outbox.take()].map(bodyOf)).toEqual(['one,two', 'three', undefined])
  })

  it('may be sent at once, and none is left to wait for when all are under way', () => {
    const { outbox } = outboxWith(FIRST)
    expect(outbox.wait()).toBe(0)
    outbox.take()
    expect(outbox.wait()).toBeUndefined()
  })

  it('are counted until they have a final answer, waiting or under way', () => {
    const { outbox } = outboxWith(FIRST, SECOND)
    expect(outbox.scores).toBe(3)
    const first = outbox.take()
    expect(outbox.scores).toBe(3)
    first?.settle(response(207))
    expect(outbox.scores).toBe(1)
  })

  it('that are none need nothing', () => {
    const { outbox } = outboxWith()
    expect([outbox.wait(), outbox.take(), outbox.scores]).toEqual([undefined, undefined, 0])
  })
})

describe('an answer', () => {
  it.each([200, 207, 302, 400, 401, 403, 413, 422])('of %i is final', (status) => {
    const { outbox, answers } = outboxWith(FIRST)
    outbox.take()?.settle(response(status))
    expect(answers).toEqual([{ batch: FIRST, status }])
    expect([outbox.wait(), outbox.scores]).toEqual([undefined, 0])
  })

  it.each([408, 429, 500, 502, 503, 504])('of %i is a reason to try again after a moment', (status) => {
    const { outbox, answers } = outboxWith(FIRST)
    outbox.take()?.settle(response(status))
    expect({ answers, scores: outbox.scores, wait: outbox.wait() }).toEqual({ answers: [], scores: 2, wait: 250 })
    expect(outbox.take()).toBeUndefined()
    vi.advanceTimersByTime(250)
    const again = outbox.take()
    expect(bodyOf(again)).toBe('one,two')
    again?.settle(response(200))
    expect(answers).toEqual([{ batch: FIRST, status: 200 }])
  })

  it('that never came is a reason to try again after a moment', () => {
    const { outbox, answers } = outboxWith(FIRST)
    outbox.take()?.settle(DOWN)
    expect({ answers, scores: outbox.scores, wait: outbox.wait() }).toEqual({ answers: [], scores: 2, wait: 250 })
  })

  it('that asks for patience gets it', () => {
    const { outbox } = outboxWith(FIRST)
    outbox.take()?.settle(response(429, { 'retry-after': '2' }))
    vi.advanceTimersByTime(1_999)
    expect(outbox.take()).toBeUndefined()
    vi.advanceTimersByTime(1)
    expect(bodyOf(outbox.take())).toBe('one,two')
  })

  it('that asks for none is not followed by a try at once', () => {
    const { outbox } = outboxWith(FIRST)
    outbox.take()?.settle(response(503, { 'retry-after': '0' }))
    expect(outbox.wait()).toBe(250)
  })

  it('is for the service: what waits behind it waits as well, and has its turn before what failed', () => {
    const { outbox } = outboxWith(FIRST, SECOND)
    outbox.take()?.settle(DOWN)
    expect(outbox.take()).toBeUndefined()
    vi.advanceTimersByTime(250)
    expect([outbox.take(), outbox.take()].map(bodyOf)).toEqual(['three', 'one,two'])
  })

  it('without Retry-After does not shorten what another one asked for', () => {
    const { outbox } = outboxWith(FIRST, SECOND)
    const [first, second] = [outbox.take(), outbox.take()]
    first?.settle(response(429, { 'retry-after': '2' }))
    second?.settle(DOWN)
    expect(outbox.wait()).toBe(2_000)
  })
})
