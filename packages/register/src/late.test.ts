import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, it, vi } from 'vitest'
import { late } from './late.ts'

it('is made once, when it is asked for', () => {
  const make = vi.fn(() => ({}))
  const thing = late(make)
  expect(thing.made).toBeUndefined()
  expect(make).not.toHaveBeenCalled()
  expect(thing()).toBe(thing())
  expect(thing.made).toBe(thing())
  expect(make).toHaveBeenCalledOnce()
})

it('is made outside of the async context that asks for it', () => {
  const storage = new AsyncLocalStorage<string>()
  const thing = late(() => ({ store: storage.getStore() }))
  expect(storage.run('of a request', thing)).toEqual({ store: undefined })
})

it('what asks while it is made gets nothing', () => {
  const thing = late((): { inner: unknown } => ({ inner: thing() }))
  expect(thing()).toEqual({ inner: undefined })
})

it('one that cannot be made is reported once, and never throws', () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const thing = late((): object => {
    throw new Error('no such chunk')
  })
  expect([thing(), thing(), thing.made]).toEqual([undefined, undefined, undefined])
  expect(error.mock.calls.join()).toMatch(/svc cannot start, so nothing is traced: no such chunk$/)
  expect(error).toHaveBeenCalledOnce()
})

it('is not made any more after its end, and gives what was made', () => {
  const thing = late(() => 'made')
  expect(thing.end()).toBeUndefined()
  expect(thing()).toBeUndefined()
  const other = late(() => 'made')
  other()
  expect([other.end(), other(), other.end()]).toEqual(['made', undefined, undefined])
})
