import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpServer } from '@nestjs/common'
import { context } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { isUnobserved, withoutObservation } from '../scope/request-identity.ts'
import type { SvcSettings } from '../settings.ts'
import type { IsExcluded } from './exclusion.ts'
import { httpHost } from './http-host.ts'
import { type AnyRequest, NestRequest, requestOf } from './http-request.ts'

type Next = (error?: unknown) => void

/**
 * Makes everything of a request run in its context, from the first middleware on. Not by way of Nest's own middleware:
 * that of a module knows the routes below the global prefix only, and GraphQL is served outside of it.
 */
export function openRequests(server: HttpServer, settings: SvcSettings, isExcluded: IsExcluded): void {
  server.use((request: IncomingMessage, response: ServerResponse, next: Next) => {
    // What becomes a socket is no request that ends: its messages are observed one by one.
    if (request.headers.upgrade?.toLowerCase() === 'websocket') return next()
    // Another SvcModule was first.
    const outer = context.active()
    if (requestOf(request) || isUnobserved(outer)) return next()
    if (isExcluded(request, response)) return context.with(withoutObservation(outer), next)
    const known = attempt('follow a request', () => new NestRequest(request, response, settings, outer))
    return known ? context.with(known.scope.context, next) : next()
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
    known.setRequest(request, httpHost(request, reply))
    return context.with(known.scope.context, done)
  })
}
