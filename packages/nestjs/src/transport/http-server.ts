import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpServer, MiddlewareConsumer } from '@nestjs/common'
import { RequestMethod, VERSION_NEUTRAL } from '@nestjs/common'
import { context } from '@opentelemetry/api'
import type { SvcSettings } from '../settings.ts'
import { httpHost } from './http-host.ts'
import { type AnyRequest, HttpRequest, requestOf } from './http-request.ts'

type Next = (error?: unknown) => void

/**
 * Makes everything of a request run in its context, from the first middleware on. Not by way of Nest's own middleware:
 * that of a module knows the routes below the global prefix only, and GraphQL is served outside of it.
 */
export function openRequests(server: HttpServer, settings: SvcSettings): void {
  server.use((request: IncomingMessage, response: ServerResponse, next: Next) => {
    // Another SvcModule was first.
    if (requestOf(request)) return next()
    return context.with(new HttpRequest(request, response, settings).scope.context, next)
  })
  if (server.getType() === 'fastify') hookFastify(server.getInstance())
}

interface Fastify {
  addHook(name: 'preValidation', hook: (request: AnyRequest, reply: unknown, done: () => void) => void): void
}

/** A body is read in the context of the socket; and guards write on Fastify's request, which middleware has not seen. */
function hookFastify(instance: Fastify): void {
  instance.addHook('preValidation', (request, reply, done) => {
    const known = requestOf(request)
    if (!known) return done()
    known.seenAs(request, httpHost(request, reply))
    return context.with(known.scope.context, done)
  })
}

/**
 * Leaves alone what matches one of the patterns, in Nest's own understanding of them: of two middlewares in a row, the
 * second one knows which routes are excluded.
 */
export function leaveOut(consumer: MiddlewareConsumer, { exclude }: SvcSettings): void {
  if (exclude.length === 0) return
  // Without a version it would be that of the application's default only.
  const everything = { path: '{*splat}', method: RequestMethod.ALL, version: VERSION_NEUTRAL } as const
  consumer.apply(skipping(true)).forRoutes(everything)
  consumer
    .apply(skipping(false))
    .exclude(...exclude)
    .forRoutes(everything)
}

function skipping(skip: boolean) {
  return (request: IncomingMessage, _response: unknown, next: Next): void => {
    requestOf(request)?.scope.skip(skip)
    next()
  }
}
