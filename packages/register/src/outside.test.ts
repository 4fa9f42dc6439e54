import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { outside, unwatched } from './outside.ts'

const storage = new AsyncLocalStorage<string>()
const inside = () => storage.getStore()

describe('what reads clocks', () => {
  afterEach(() => vi.restoreAllMocks())

  it('is called directly if nothing observes the async context', () => {
    expect(storage.run('of a request', () => [unwatched(inside), outside(inside)])).toEqual(['of a request', undefined])
  })

  it('runs outside where the clock was replaced', () => {
    vi.spyOn(Date, 'now').mockReturnValue(1)
    expect(storage.run('of a request', () => unwatched(inside))).toBeUndefined()
  })

  it('runs outside where the clock was replaced before', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(1)
    vi.resetModules()
    const { unwatched } = await import('./outside.ts')
    expect(storage.run('of a request', () => unwatched(inside))).toBeUndefined()
  })
})
