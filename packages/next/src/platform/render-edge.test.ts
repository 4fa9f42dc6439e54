import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { standIn } from '@svc/core/api-edge'
import { expect, it } from 'vitest'
import { findRoute } from './render-edge.ts'

const within = (name: string) => findRoute(trace.setSpan(ROOT_CONTEXT, standIn(name, undefined, ROOT_CONTEXT)))

it.each([
  ['executing api route (app) /api/chats/[id]', '/api/chats/[id]'],
  ['executing api route (pages) /api/[[...path]]', '/api/[[...path]]'],
  ['middleware GET', undefined],
])('on the edge the span "%s" of Next, recorded or not, tells the route %s', (name, route) => {
  expect(within(name)).toBe(route)
})

it('on the edge there is no route outside of a span', () => {
  expect(findRoute(ROOT_CONTEXT)).toBeUndefined()
})
