import { ROOT_CONTEXT } from '@opentelemetry/api'
import { type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace'
import { expect, it, vi } from 'vitest'
import { RootRequest } from './http-request.ts'
import type { HttpRoots } from './http-roots.ts'

const description = { method: 'GET', path: '/', route: undefined, status: 200 }
const started = () => new RootRequest({} as HttpRoots, () => description, ROOT_CONTEXT, '1')

it('a request tells once that it is done', () => {
  const request = started()
  const actions = [vi.fn(), vi.fn()]
  for (const action of actions) request.whenDone(action)
  for (const action of actions) expect(action).not.toHaveBeenCalled()
  for (let times = 0; times < 2; times++) request.done()
  for (const action of actions) expect(action).toHaveBeenCalledOnce()
})

it('a request that is done tells it at once', () => {
  const request = started()
  request.done()
  const action = vi.fn()
  request.whenDone(action)
  expect(action).toHaveBeenCalledOnce()
})

it('the root has the user and the session that were propagated first, before it was made and after', () => {
  const tracer = new TracerProvider().getTracer('root')
  const roots = { isMadeFor: () => true, start: () => tracer.startSpan('root') } as unknown as HttpRoots
  const request = new RootRequest(roots, () => description, ROOT_CONTEXT, '1')
  request.identify({ 'user.id': 'ada', 'svc.trace.tags': ['beta'] })
  const root = request.open() as unknown as ReadableSpan
  request.identify({ 'user.id': 'eve', 'session.id': 'first' })
  request.identify({ 'session.id': 'second' })
  expect(root.attributes).toEqual({ 'user.id': 'ada', 'session.id': 'first' })
})
