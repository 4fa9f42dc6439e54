import type { NextConfig } from 'next'
import type { NextFetchEvent, NextRequest } from 'next/server.js'
import { expect, expectTypeOf, it } from 'vitest'
import { withSvcConfig } from './config/index.ts'
import { type RouteContext, svcObserve, svcProxy, withSvc, withSvcAction } from './index.ts'

/** As Next checks what a route file exports. */
type RouteHandler<Params> = (request: NextRequest, context: { params: Promise<Params> }) => Response | Promise<Response>

it('a wrapped route handler has the type that Next expects', () => {
  const plain = withSvc({ name: 'plain' }, () => new Response())
  expectTypeOf(plain).toExtend<RouteHandler<Record<never, string>>>()
  const dynamic = withSvc({}, async (_request, { params }: { params: Promise<{ id: string }> }) => {
    expectTypeOf((await params).id).toEqualTypeOf<string>()
    return new Response()
  })
  expectTypeOf(dynamic).toExtend<RouteHandler<{ id: string }>>()
  const all = withSvc({}, () => new Response())
  expectTypeOf(all).toExtend<RouteHandler<{ path: string[] }>>()
})

it("a wrapped handler has Next's request and context types by default", () => {
  withSvc({ user: (request) => request.cookies.get('user')?.value }, (request, context) => {
    expectTypeOf(request).toEqualTypeOf<NextRequest>()
    expectTypeOf(context).toEqualTypeOf<RouteContext>()
    return new Response()
  })
  withSvc({ user: (request: Request) => request.headers.get('x-user') }, (request: Request) => {
    expectTypeOf(request).toEqualTypeOf<Request>()
    return new Response()
  })
})

it('a wrapped action keeps the types of its arguments and its result', () => {
  const add = withSvcAction(
    { user: (left, right) => `${left}${right}` },
    async (left: number, right: number) => left + right,
  )
  expectTypeOf(add).toEqualTypeOf<(left: number, right: number) => Promise<number>>()
})

it('observed work in a component keeps its result type', () => {
  expectTypeOf(svcObserve('work', () => 1)).toEqualTypeOf<Promise<number>>()
})

it('a wrapped proxy has the type that Next expects', () => {
  const proxy = svcProxy({ session: (request) => request.cookies.get('session')?.value }, () => undefined)
  expectTypeOf(proxy).toEqualTypeOf<(request: NextRequest, event: NextFetchEvent) => Promise<Response>>()
  // @ts-expect-error options come first
  expect(() => svcProxy(() => new Response())).toThrow(TypeError)
})

it('withSvcConfig keeps the type of its options', () => {
  const config: NextConfig = { output: 'standalone' }
  expectTypeOf(withSvcConfig(config)).toEqualTypeOf<NextConfig>()
  expectTypeOf(withSvcConfig(Promise.resolve(config))).toEqualTypeOf<Promise<NextConfig>>()
})
