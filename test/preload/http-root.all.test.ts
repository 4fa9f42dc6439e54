import { afterAll, beforeAll, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { expectRoots, pipelined } from './http-root.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it.each([
  ...['fastify', 'fastify-inject', 'koa', 'koa-router', 'h3', 'h3-1'],
  ...['hono-request', 'hono-mounted', 'h3-request', 'h3-1-request'],
])(
  'the model calls of a request that %s serves have one root, named by the route, with the first question, the last answer, and the user who was first',
  (framework) => expectRoots(service, framework, '/chat/:id'),
)

it('each of the requests that are pipelined over one connection has a root of its own, which ends once', () =>
  expectRoots(service, 'express', '/chat/:id', pipelined))
