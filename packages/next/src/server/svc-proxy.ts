import { type NextFetchEvent, type NextRequest, NextResponse } from 'next/server.js'
import { isInactive } from '#implementation'
import type { IdentityOptions } from '../identity/identity.ts'
import type { WorkOptions } from '../work.ts'
import { forward } from './forward.ts'
import { observeProxy } from './observe-proxy.ts'

/** Options of {@link svcProxy}. Each resolver gets the arguments of the handler. */
export interface SvcProxyOptions
  extends IdentityOptions<[NextRequest, NextFetchEvent]>,
    Pick<WorkOptions, 'name' | 'asType'> {}

/** The result of a proxy. */
export type ProxyAnswer = Response | null | undefined

/**
 * For `proxy.ts`: finds out once who a request is for and sends it along to the route, signed, so that `withSvc`,
 * `withSvcAction` and `svcUser` know it without options. What a client claims (`svc_*` baggage, a signature of its own)
 * goes no further. What the handler traces and what the route traces is one trace.
 *
 * @param options `user`, `session`, `tags`, `metadata`, `version`; with `name` each run of the handler is an observation
 * @param handler the proxy; default lets every request through
 * @example
 * export const proxy = svcProxy({ session: (request) => request.cookies.get('session')?.value })
 */
export function svcProxy(
  options: SvcProxyOptions = {},
  handler: (request: NextRequest, event: NextFetchEvent) => ProxyAnswer | Promise<ProxyAnswer> = () => undefined,
): (request: NextRequest, event: NextFetchEvent) => Promise<Response> {
  // A proxy that lets everything through because its handler stands in the wrong place would be worse than none.
  if (typeof options === 'function' || typeof handler !== 'function') {
    throw new TypeError('svc: svcProxy(options, handler) needs options first, and a function.')
  }
  const next = (headers?: Headers) => NextResponse.next(headers && { request: { headers } })
  return async (request, event) => {
    if (isInactive()) return (await handler(request, event)) ?? next()
    const { answer, forwarded } = await observeProxy(options ?? {}, handler, request, event)
    return forward(request, answer ?? next(), forwarded, next)
  }
}
