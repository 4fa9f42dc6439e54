import { describe, expect, it, vi } from 'vitest'
import type { CallSpan } from '../record/call.ts'
import { type AbortSignals, IteratorObserver, observeIterator } from './iterator-observer.ts'

const aborted = AbortSignal.abort()
const quiet = new AbortController().signal

function reading(complete: boolean, signals: AbortSignals) {
  const call = { setAccumulator: vi.fn(), onChunk: vi.fn(), end: vi.fn(), fail: vi.fn() }
  const listener = { add: () => true, isComplete: complete, response: {} }
  return { call, reading: new IteratorObserver(call as unknown as CallSpan, listener, () => signals) }
}

it.each<[complete: boolean, AbortSignals, read: string | undefined, left: string | undefined]>([
  [true, {}, undefined, undefined],
  [true, { request: aborted, stream: aborted }, undefined, undefined],
  [false, {}, undefined, 'stopped early'],
  [false, { request: quiet, stream: quiet }, undefined, 'stopped early'],
  [false, { request: aborted, stream: quiet }, 'cancelled', 'cancelled'],
  [false, { request: null, stream: aborted }, 'cancelled', 'cancelled'],
])('a stream that is complete: %s, with %o, ends as %s when read and as %s when abandoned', (...row) => {
  const [complete, signals, read, left] = row
  const [one, other] = [reading(complete, signals), reading(complete, signals)]
  one.reading.value({ done: true })
  other.reading.readerLeft()
  expect([one.call.end.mock.calls, other.call.end.mock.calls]).toEqual([[[read]], [[left]]])
})

it.each<[AbortSignals, byCaller: boolean | undefined]>([
  [{ stream: aborted }, undefined],
  [{ request: null, stream: aborted }, false],
  [{ request: quiet }, false],
  [{ request: aborted }, true],
])('an error of a stream with %o was caused by the caller: %s', (signals, byCaller) => {
  const { call, reading: it } = reading(false, signals)
  it.error('why')
  expect(call.fail.mock.calls).toEqual([['why', byCaller]])
})

it('an observed iterator returns the same results, and an object without next() is left unchanged', async () => {
  const { call, reading: it } = reading(false, {})
  const iterator = { next: vi.fn().mockReturnValueOnce('at once').mockResolvedValueOnce({ value: 'later' }) }
  observeIterator(iterator, it)
  expect([iterator.next(), await iterator.next()]).toEqual(['at once', { value: 'later' }])
  expect(call.onChunk.mock.calls).toEqual([['later']])
  expect(Object.keys(iterator)).toEqual(['next'])
  const other = {}
  observeIterator(other, it)
  expect(Reflect.ownKeys(other)).toEqual([])
})

describe('the abort of a stream', () => {
  const following = (which: 'request' | 'stream') => {
    const controller = new AbortController()
    const { call, reading: observer } = reading(false, { [which]: controller.signal })
    let answer: (result: object) => void = () => {}
    const iterator = { next: () => new Promise<object>((resolve) => (answer = resolve)) }
    observeIterator(iterator, observer)
    return { call, iterator, abort: () => controller.abort(), answer: (result: object) => answer(result) }
  }

  it.each(['request', 'stream'] as const)('ends its call at once if nobody reads: %s', async (which) => {
    const { call, iterator, abort, answer } = following(which)
    const chunk = iterator.next()
    answer({ value: 'Hello' })
    await chunk
    expect(call.end).not.toHaveBeenCalled()
    abort()
    expect(call.end.mock.calls).toEqual([['cancelled']])
  })

  it('ends its call with what the reader gets that waits', async () => {
    const { call, iterator, abort, answer } = following('stream')
    const chunk = iterator.next()
    abort()
    expect(call.end).not.toHaveBeenCalled()
    answer({ value: 'Hello' })
    await chunk
    expect([call.onChunk.mock.calls, call.end.mock.calls]).toEqual([[['Hello']], [['cancelled']]])
  })

  it('is not listened to after the end of its call', () => {
    const { signal } = new AbortController()
    const remove = vi.spyOn(signal, 'removeEventListener')
    const { call } = reading(false, { request: signal })
    ;(call as unknown as CallSpan).onEnd?.()
    expect(remove).toHaveBeenCalledTimes(1)
  })
})
