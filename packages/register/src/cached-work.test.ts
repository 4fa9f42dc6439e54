import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { propagatedAttributes, withDeferredAttributes, withPropagatedAttributes } from '@svc/core/context'
import { MutedSpan, REQUEST, traceOnly } from '@svc/core/muted-span'
import { withWorkForCache } from '@svc/core/next-work'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { leaveVisitor } from './cached-work.ts'
import { TraceIds } from './trace-ids.ts'

const { cache } = createRequire(join(process.cwd(), 'package.json'))
const PATH = '/app/node_modules/next/dist/server/app-render/work-unit-async-storage.external.js'
let type = 'request'
cache[PATH] = { exports: { workUnitAsyncStorage: { getStore: () => ({ type }) } } } as NodeJS.Module
// As Next does.
vi.stubGlobal('AsyncLocalStorage', AsyncLocalStorage)
afterAll(() => {
  vi.unstubAllGlobals()
  delete cache[PATH]
})
beforeEach(() => {
  type = 'request'
})

const ids = new TraceIds()
const VISITOR = { 'user.id': 'ada', 'session.id': 's-7' }

/** Of a request of Ada, whom the proxy knows, and what an application says of its own. */
function visit(): Context {
  const request = new MutedSpan(traceOnly(ids.generateTraceId()))
  const within = trace.setSpan(ROOT_CONTEXT, request).setValue(REQUEST, request)
  const known = withDeferredAttributes(within, { read: () => VISITOR, pending: () => undefined })
  return withPropagatedAttributes(known, { ...VISITOR, 'svc.trace.metadata.of': 'the app' })
}
const traceOf = (within: Context) => trace.getSpanContext(within)?.traceId

it('work for a visitor stays where it is', () => {
  const visited = visit()
  expect(leaveVisitor(visited, ids)).toBe(visited)
})

it.each(['cache', 'private-cache', 'unstable-cache', 'prerender', 'prerender-legacy'])(
  'work of the type %s is in one trace of its own for each request, and has what is said of it, but no visitor',
  (each) => {
    const visited = visit()
    type = each
    const left = leaveVisitor(visited, ids)
    expect(traceOf(left)).not.toBe(traceOf(visited))
    expect([traceOf(leaveVisitor(visited, ids)), traceOf(leaveVisitor(visit(), ids)) === traceOf(left)]).toEqual([
      traceOf(left),
      false,
    ])
    expect(propagatedAttributes(left)).toEqual({ 'svc.trace.metadata.of': 'the app' })
  },
)

it('what starts where a connection was opened belongs to whom it was asked for', () => {
  const visited = withWorkForCache(visit())
  type = 'unstable-cache'
  const kept = withWorkForCache(visit())
  expect(leaveVisitor(visited, ids)).toBe(visited)
  type = 'request'
  expect(traceOf(leaveVisitor(kept, ids))).not.toBe(traceOf(kept))
})

it('what starts inside stays below what is around it', () => {
  const visited = visit()
  type = 'cache'
  const above = trace.wrapSpanContext({
    traceId: traceOf(leaveVisitor(visited, ids)) ?? '',
    spanId: '1'.repeat(16),
    traceFlags: 1,
  })
  const left = leaveVisitor(trace.setSpan(visited, above), ids)
  expect(trace.getSpan(left)).toBe(above)
  expect(propagatedAttributes(left)).not.toHaveProperty('user.id')
})
