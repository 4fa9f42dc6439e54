import { AsyncLocalStorage } from 'node:async_hooks'
import { log } from '@svc/core/log'
import { expect, it, onTestFinished, vi } from 'vitest'
import { lazy } from './lazy.ts'

it('a lazy part is created once, on first use', () => {
  const make = vi.fn(() => ({}))
  const thing = lazy(make)
  expect(thing.made).toBeUndefined()
  expect(make).not.toHaveBeenCalled()
  expect(thing()).toBe(thing())
  expect(thing.made).toBe(thing())
  expect(make).toHaveBeenCalledOnce()
})

it("a lazy part is created outside of the caller's async context", () => {
  const storage = new AsyncLocalStorage<string>()
  const thing = lazy(() => ({ store: storage.getStore() }))
  expect(storage.run('of a request', thing)).toEqual({ store: undefined })
})

it('a lazy part is undefined while it is being created', () => {
  const thing = lazy((): { inner: unknown } => ({ inner: thing() }))
  expect(thing()).toEqual({ inner: undefined })
})

it('a lazy part that cannot be created is reported once, never throws, and is tried again after a pause that doubles', () => {
  vi.useFakeTimers({ toFake: ['hrtime'] })
  onTestFinished(() => void vi.useRealTimers())
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const info = vi.spyOn(console, 'info').mockReturnValue()
  const make = vi.fn((): object => {
    throw new Error('too many open files')
  })
  const thing = lazy(make)
  expect([thing(), thing(), thing.made]).toEqual([undefined, undefined, undefined])
  expect(make).toHaveBeenCalledOnce()
  for (const pause of [1_000, 2_000]) {
    vi.advanceTimersByTime(pause - 1)
    thing()
    const { length } = make.mock.calls
    vi.advanceTimersByTime(1)
    thing()
    expect(make).toHaveBeenCalledTimes(length + 1)
  }
  expect(error.mock.calls.join()).toMatch(
    /svc cannot start, so nothing is traced: too many open files \(tried again in 1 s\)$/,
  )
  expect(error).toHaveBeenCalledOnce()
  make.mockReturnValue({})
  vi.advanceTimersByTime(4_000)
  expect(thing()).toBe(thing.made)
  expect(thing.made).toBeDefined()
  expect(info.mock.calls.join()).toMatch('svc has started after all')
})

it('a lazy part is created later if the stack was full at its first use, and for the report of that', () => {
  const full = () => {
    throw new RangeError('Maximum call stack size exceeded')
  }
  vi.spyOn(log, 'error').mockImplementationOnce(full)
  const make = vi.fn(() => 'made').mockImplementationOnce(full)
  const thing = lazy(make)
  expect(thing).toThrow(RangeError)
  expect(thing()).toBe('made')
})

it('a lazy part is not created after its end, and an existing one is returned', () => {
  const thing = lazy(() => 'made')
  expect(thing.end()).toBeUndefined()
  expect(thing()).toBeUndefined()
  const other = lazy(() => 'made')
  other()
  expect([other.end(), other(), other.end()]).toEqual(['made', undefined, undefined])
  const failing = vi.fn((): string => {
    throw new Error('no such chunk')
  })
  const third = lazy(failing)
  vi.spyOn(console, 'error').mockReturnValue()
  third()
  third.end()
  vi.useFakeTimers({ toFake: ['hrtime'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.advanceTimersByTime(60_000)
  expect(third()).toBeUndefined()
  expect(failing).toHaveBeenCalledOnce()
})
