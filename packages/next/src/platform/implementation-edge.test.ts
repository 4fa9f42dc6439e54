import { beforeEach, expect, it, vi } from 'vitest'
import * as implementation from './implementation.ts'

const slots = globalThis as unknown as Record<symbol, unknown>

beforeEach(() => {
  vi.resetModules()
  slots[Symbol.for('svc.next-implementation.6')] = undefined
})

it('in an edge runtime where registerSvc did not run, nothing is active, which is reported once', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { isInactive, unseal } = await import('./implementation-edge.ts')
  expect([isInactive(), isInactive(), await unseal('a.b')]).toEqual([true, true, undefined])
  expect(warn.mock.calls.flat()).toEqual([expect.stringMatching(/registerSvc did not run in this edge runtime/)])
  warn.mockRestore()
})

it('in an edge runtime the functions of a bundle call those of the bundle in which registerSvc ran', async () => {
  const { setImplementation } = await import('./implementation-edge.ts')
  setImplementation(implementation)
  vi.resetModules()
  const elsewhere = await import('./implementation-edge.ts')
  expect(elsewhere.isInactive()).toBe(false)
  const answer = new Response('done')
  const observe = elsewhere.observeRoute({}, () => answer)
  const observed = await observe(new Request('http://shop.example/chat'), {})
  expect(await observed.text()).toBe('done')
})

it('every function of the implementation can be called from another bundle', async () => {
  const elsewhere = await import('./implementation-edge.ts')
  expect(Object.keys(elsewhere)).toEqual(expect.arrayContaining(Object.keys(implementation)))
})

it('an action of another bundle is observed there, with the work of the bundle in which registerSvc ran', async () => {
  const { setImplementation } = await import('./implementation-edge.ts')
  const runs: unknown[] = []
  const runWork: typeof implementation.runWork = (...args) => {
    runs.push(args.slice(1, 4))
    return implementation.runWork(...args)
  }
  setImplementation({ ...implementation, runWork })
  vi.resetModules()
  vi.doMock('#implementation', () => import('./implementation-edge.ts'))
  vi.doMock('../identity/forwarded.ts', () => ({ forwardedHere: async () => undefined }))
  const { withSvcAction } = await import('../server/with-svc-action.ts')
  expect(await withSvcAction({ name: 'ask' }, (question: string) => `asked ${question}`)('why')).toBe('asked why')
  expect(runs).toEqual([['ask', { name: 'ask' }, 'why']])
})
