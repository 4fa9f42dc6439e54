import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withSvc } from '../route/with-svc.ts'
import { mayReadHeaders, rendersForCache } from './render.ts'

const { cache } = createRequire(join(process.cwd(), 'package.json'))
const PATH = '/app/node_modules/next/dist/server/app-render/work-unit-async-storage.external.js'
const SLOTS = ['svc.next-work.6', 'svc.log.6'].map((name) => Symbol.for(name))

const given = (exports: object | undefined) => {
  if (exports) cache[PATH] = { exports } as NodeJS.Module
}
const storing = (store: object | undefined) => ({ workUnitAsyncStorage: { getStore: () => store } })

beforeEach(() => {
  for (const slot of SLOTS) Reflect.deleteProperty(globalThis, slot)
  // That of the Next that is imported here.
  for (const path of Object.keys(cache)) if (path.includes('work-unit-async-storage')) delete cache[path]
})
afterEach(() => {
  delete cache[PATH]
})

it.each([
  ['a prerender', storing({ type: 'prerender-legacy' }), true],
  ['a prerender of Cache Components', storing({ type: 'prerender' }), true],
  ['a function with `use cache`', storing({ type: 'cache' }), true],
  ['a function of `unstable_cache`', storing({ type: 'unstable-cache' }), true],
  ['a request', storing({ type: 'request' }), false],
  ['a prefetch for one visitor', storing({ type: 'prerender-runtime' }), false],
  ['no render', storing(undefined), false],
  ['a render without a type', storing({}), false],
])('the renderer recognizes %s', (_, exports, expected) => {
  given(exports)
  expect(rendersForCache()).toBe(expected)
})

it.each([
  ['in a request', 'request', {}, true],
  ['in a request of a page that must be static', 'request', { dynamicShouldError: true }, false],
  ['in a prerender of Cache Components, which leaves a hole', 'prerender', {}, true],
  ['where a server makes a page anew', 'prerender-legacy', {}, false],
  ['in a function with `use cache`', 'cache', {}, false],
  ['in a function of `unstable_cache`', 'unstable-cache', {}, false],
])('headers %s may be read, or not: %s', (_, type, work, expected) => {
  given({ ...storing({ type }), workAsyncStorage: { getStore: () => work } })
  expect(mayReadHeaders()).toBe(expected)
})

it.each([
  ['a module that has moved', undefined],
  ['a member with another name', { workUnits: {} }],
  ['a member of another kind', { workUnitAsyncStorage: {} }],
])('GET handlers run unobserved with %s, which is logged once', async (_, exports) => {
  given(exports)
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  expect(rendersForCache()).toBeUndefined()
  const untouchable = { method: 'GET' } as Request
  const handler = withSvc({ name: 'fresh' }, () => new Response('done'))
  for (const _ of [1, 2]) {
    expect(await (await handler(untouchable as never, { params: Promise.resolve({}) })).text()).toBe('done')
  }
  expect(warn).toHaveBeenCalledTimes(1)
  expect(String(warn.mock.calls[0]?.[0])).toMatch(/does not show when it renders for its cache/)
  warn.mockRestore()
})
