import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, it, vi } from 'vitest'
import { late } from './late.ts'

it('a lazy part is created once, on first use', () => {
  const make = vi.fn(() => ({}))
  const thing = late(make)
  expect(thing.made).toBeUndefined()
  expect(make).not.toHaveBeenCalled()
  expect(thing()).toBe(thing())
  expect(thing.made).toBe(thing())
  expect(make).toHaveBeenCalledOnce()
})

it("a lazy part is created outside of the caller's async context", () => {
  const storage = new AsyncLocalStorage<string>()
  const thing = late(() => ({ store: storage.getStore() }))
  expect(storage.run('of a request', thing)).toEqual({ store: undefined })
})

it('a lazy part is undefined while it is being created', () => {
  const thing = late((): { inner: unknown } => ({ inner: thing() }))
  expect(thing()).toEqual({ inner: undefined })
})

it('a lazy part that cannot be created is reported once, and never throws', () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const thing = late((): object => {
    throw new Error('no such chunk')
  })
  expect([thing(), thing(), thing.made]).toEqual([undefined, undefined, undefined])
  expect(error.mock.calls.join()).toMatch(/svc cannot start, so nothing is traced: no such chunk$/)
  expect(error).toHaveBeenCalledOnce()
})

it('a lazy part is not created after its end, and an existing one is returned', () => {
  const thing = late(() => 'made')
  expect(thing.end()).toBeUndefined()
  expect(thing()).toBeUndefined()
  const other = late(() => 'made')
  other()
  expect([other.end(), other(), other.end()]).toEqual(['made', undefined, undefined])
})
