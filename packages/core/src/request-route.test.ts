import { ROOT_CONTEXT } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { MutedSpan, REQUEST, type RequestRoot, traceOnly } from './muted-span.ts'
import { setRoute } from './request-route.ts'

const request: RequestRoot = { open: () => undefined }
const within = ROOT_CONTEXT.setValue(REQUEST, new MutedSpan(traceOnly('1'), request))

it.each([
  ['/users/[id]', '/users/[id]'],
  ['/api/*', '/api/*'],
  ['/files/{*path}', '/files/{*path}'],
  ['users/:id', '/users/:id'],
  ['', '/'],
])('with %j the route of a request is %j', (route, expected) => {
  setRoute(route, within)
  expect(request.route).toBe(expected)
})

it.each(['*', '/*', '/**', '/*splat', '/{*splat}', '{/*splat}', '(.*)', '/:path*', undefined, null, 7])(
  '%j, which matches every path or is none, changes no route',
  (route) => {
    setRoute('/users/:id', within)
    setRoute(route, within)
    expect(request.route).toBe('/users/:id')
  },
)

it('outside of requests there is no route to set', () => {
  expect(() => setRoute('/users/:id', ROOT_CONTEXT)).not.toThrow()
})
