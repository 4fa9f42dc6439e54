import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { isTracingSuppressed } from '@svc/core/suppress-tracing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { EndedSpans } from './ended-spans.ts'
import type { ReadableSpan } from './sdk.ts'

const LIMITS = { spans: 512, waitMs: 5_000 }

const measured = (name: string, heldCharacters?: number) => ({ name, heldCharacters }) as unknown as ReadableSpan
const collecting = (limits = LIMITS) => {
  const processed: string[] = []
  const ended = new EndedSpans(({ name }) => processed.push(name), limits)
  return { processed, ended, add: (name: string, characters?: number) => ended.add(measured(name, characters)) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('ended spans', () => {
  it('are processed together, in the order in which they ended', () => {
    const { processed, ended, add } = collecting()
    expect([add('a', 10), add('b', 0)]).toEqual([true, true])
    expect(processed).toEqual([])
    ended.drain()
    expect(processed).toEqual(['a', 'b'])
    ended.drain()
    expect(processed).toHaveLength(2)
  })

  it('are announced once, before the first is processed', () => {
    const calls: string[] = []
    const before = () => void calls.push('before')
    const ended = new EndedSpans(
      ({ name }) => calls.push(name),
      LIMITS,
      (work) => work(),
      before,
    )
    for (const name of ['a', 'b']) ended.add(measured(name, 1))
    ended.drain()
    ended.drain()
    expect(calls).toEqual(['before', 'a', 'b'])
  })

  it('wait for at most 63 others', () => {
    const { processed, add } = collecting()
    for (let n = 0; n < 63; n++) add(`s${n}`, 1)
    expect(processed).toHaveLength(0)
    add('last', 1)
    expect(processed).toHaveLength(64)
  })

  it('wait for at most 100 ms, and leave no timer behind', () => {
    const { processed, add } = collecting()
    add('a', 1)
    vi.advanceTimersByTime(99)
    add('b', 1)
    expect(processed).toEqual([])
    vi.advanceTimersByTime(1)
    expect(processed).toEqual(['a', 'b'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('hold at most a million characters', () => {
    const { processed, add } = collecting()
    add('a', 600_000)
    add('b', 600_000)
    expect(processed).toEqual(['a', 'b'])
    expect(add('alone', 1_000_000)).toBe(false)
  })

  it('wait for no more spans than a batch has, and at most a quarter of its interval', () => {
    const { processed, add } = collecting({ spans: 2, waitMs: 40 })
    add('a', 1)
    add('b', 1)
    expect(processed).toHaveLength(2)
    add('c', 1)
    vi.advanceTimersByTime(10)
    expect(processed).toHaveLength(3)
  })

  it.each([undefined, Number.NaN, Number.POSITIVE_INFINITY])('do not wait if they hold %s characters', (held) => {
    expect(collecting().add('a', held)).toBe(false)
  })

  it('are processed after the span whose processing ends them', () => {
    const processed: string[] = []
    const ended: EndedSpans = new EndedSpans(({ name }) => {
      processed.push(name)
      if (name.startsWith('child')) ended.add(measured(name.replace('child', 'root'), 1))
    }, LIMITS)
    for (let n = 0; n < 64; n++) ended.add(measured(`child${n}`, 1))
    expect(processed).toHaveLength(128)
    expect(processed.slice(62, 66)).toEqual(['child62', 'child63', 'root0', 'root1'])
  })

  it('have a new timer after others ended during processing', () => {
    const processed: string[] = []
    const ended: EndedSpans = new EndedSpans(({ name }) => {
      processed.push(name)
      if (name === 'child') ended.add(measured('root', 1))
    }, LIMITS)
    ended.add(measured('child', 1))
    vi.advanceTimersByTime(100)
    expect(processed).toEqual(['child', 'root'])
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(1_000)
    ended.add(measured('later', 1))
    vi.advanceTimersByTime(100)
    expect(processed).toEqual(['child', 'root', 'later'])
  })

  it('are all processed in the end after the stack was exhausted in the middle', () => {
    const processed: string[] = []
    let isExhausted = true
    const ended = new EndedSpans(({ name }) => {
      if (name === 'b' && isExhausted) throw new RangeError('Maximum call stack size exceeded')
      processed.push(name)
    }, LIMITS)
    for (const name of ['a', 'b', 'c']) ended.add(measured(name, 1))
    ended.drain()
    expect(processed).toEqual(['a'])
    isExhausted = false
    ended.add(measured('d', 1))
    vi.advanceTimersByTime(100)
    expect(processed).toEqual(['a', 'b', 'c', 'd'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('wait while what processes them cannot be loaded, 640 of them', () => {
    const processed: string[] = []
    let isLoaded = false
    const load = () => {
      if (!isLoaded) throw new Error('EMFILE')
    }
    const ended = new EndedSpans(({ name }) => processed.push(name), LIMITS, undefined, load)
    const taken = Array.from({ length: 641 }, (_, n) => ended.add(measured(`s${n}`, 1)))
    expect([taken.indexOf(false), processed]).toEqual([640, []])
    isLoaded = true
    vi.advanceTimersByTime(100)
    expect(processed).toHaveLength(640)
  })

  it('do not block the event loop when each of them ends another', () => {
    const processed: string[] = []
    const ended: EndedSpans = new EndedSpans(({ name }) => {
      processed.push(name)
      ended.add(measured(`${name}'`, 1))
    }, LIMITS)
    ended.add(measured('a', 1))
    ended.drain()
    expect(processed).toEqual(['a', "a'", "a''"])
    vi.advanceTimersByTime(100)
    expect(processed).toHaveLength(6)
  })

  it('are processed outside of any trace, so that a log that records spans does not record those of its own lines', () => {
    let suppressed: boolean | undefined
    context.setGlobalContextManager(new AsyncLocalStorageContextManager())
    onTestFinished(() => context.disable())
    const ended = new EndedSpans(() => {
      suppressed = isTracingSuppressed(context.active())
    }, LIMITS)
    ended.add(measured('a', 1))
    ended.drain()
    expect(suppressed).toBe(true)
  })

  it('do not wait for a timer that a fake clock took in', () => {
    const { processed, ended, add } = collecting()
    const { setTimeout } = globalThis
    globalThis.setTimeout = (() => 1) as unknown as typeof setTimeout
    add('a', 1)
    globalThis.setTimeout = setTimeout
    vi.advanceTimersByTime(200)
    add('b', 1)
    expect(processed).toEqual(['a', 'b'])
    ended.drain()
  })
})
