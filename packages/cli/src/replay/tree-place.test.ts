import { claimRuntime, releaseRuntime } from '@svc/core/registry'
import { afterAll, expect, it, vi } from 'vitest'
import { watchPlaces } from './tree-place.ts'

afterAll(releaseRuntime)

it('each replay of a process hears of a span once, whatever came before it', () => {
  watchPlaces()
  const watch = vi.fn()
  claimRuntime({ owner: 'test', attach() {}, forceFlush: async () => {}, shutdown: async () => {}, watch })
  watchPlaces()
  watchPlaces()
  expect(watch).toHaveBeenCalledOnce()
})
