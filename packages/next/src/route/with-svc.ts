import { attempt } from '@svc/core/attempt'
import type { NextRequest } from 'next/server.js'
import { isInactive, observeRoute } from '#implementation'
import { rendersForCache } from '#render'
import type { IdentityOptions } from '../identity/identity.ts'
import type { WorkOptions } from '../work.ts'

/** The second argument of a route handler. */
export interface RouteContext {
  readonly params: Promise<Record<string, string | string[] | undefined>>
}

/** Options of {@link withSvc}. Each resolver gets the arguments of the handler. */
export interface WithSvcOptions<Args extends readonly unknown[]> extends IdentityOptions<Args>, WorkOptions {
  /** Put the id of the trace on the response, as `x-svc-trace-id`, so that a client can score it. Default false. */
  readonly traceHeader?: boolean | undefined
}

/**
 * Makes every request of a route handler an observation: the identity is resolved first, everything inside becomes its
 * child, and it ends when the response has been read to its end, has failed, or is no longer wanted (level WARNING, with
 * what was streamed so far). The response is what the handler made: its headers, status and body stay.
 *
 * @param options `name` (default: method and route), `user`, `session`, `tags`, `metadata`, `version`, `asType`,
 *   `captureInput`, `captureOutput`, `traceHeader`
 * @param handler the route handler
 * @returns the handler to export as `GET`, `POST`, …
 * @example
 * export const POST = withSvc({ name: 'chat', user: async () => (await auth())?.user.id }, async (request) => {
 *   const { messages } = await request.json()
 *   return streamText({ model, messages }).toUIMessageStreamResponse()
 * })
 */
export function withSvc<Req extends Request = NextRequest, Ctx = RouteContext>(
  options: WithSvcOptions<[Req, Ctx]>,
  handler: (request: Req, context: Ctx) => Response | Promise<Response>,
): (request: Req, context: Ctx) => Promise<Response> {
  if (typeof handler !== 'function') throw new TypeError('svc: withSvc(options, handler) needs a function.')
  let observed: typeof handler | undefined
  return async (request, context) => {
    // A route rendered for the cache must stay as without svc, and belongs to no user.
    if (isInactive() || (rendersForCache() ?? mayBeForCache(request))) return handler(request, context)
    observed ??= observeRoute(options ?? {}, handler)
    return observed(request, context)
  }
}

/** Next renders for its cache for GET handlers only. Of a request that it hands over then, even the method may throw. */
function mayBeForCache(request: Request): boolean {
  return ['GET', 'HEAD'].includes(attempt('read the method of a request', () => request.method) ?? 'GET')
}
