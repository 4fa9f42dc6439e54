import { context, isSpanContextValid, trace } from '@opentelemetry/api'
import { type NextFetchEvent, type NextRequest, NextResponse } from 'next/server.js'
import { deliverWithRequests } from '../delivery.ts'
import { type IdentityOptions, resolveIdentity } from '../identity/identity.ts'
import { propagateIdentity } from '../identity/propagate.ts'
import type { Forwarded } from '../identity/seal.ts'
import { trustedContext } from '../identity/trust.ts'
import { runWork, type WorkOptions } from '../work.ts'
import { forward } from './forward.ts'

/** Options of {@link svcProxy}. Each resolver gets the arguments of the handler. */
export interface SvcProxyOptions
  extends IdentityOptions<[NextRequest, NextFetchEvent]>,
    Pick<WorkOptions, 'name' | 'asType'> {}

type Answer = Response | null | undefined

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
  handler: (request: NextRequest, event: NextFetchEvent) => Answer | Promise<Answer> = () => undefined,
): (request: NextRequest, event: NextFetchEvent) => Promise<Response> {
  // A proxy that lets everything through because its handler stands in the wrong place would be worse than none.
  if (typeof options === 'function' || typeof handler !== 'function') {
    throw new TypeError('svc: svcProxy(options, handler) needs options first, and a function.')
  }
  return async (request, event) => {
    deliverWithRequests()
    const identity = await resolveIdentity(options ?? {}, [request, event])
    let parent: Forwarded['parent']
    const handle = async () => {
      parent = activeSpan()
      return handler(request, event)
    }
    const name = options?.name
    const work = () =>
      name === undefined
        ? handle()
        : runWork(context.active(), name, { ...options, captureOutput: false }, undefined, handle)
    const answer = await context.with(trustedContext(), () => propagateIdentity(identity, work))
    return forward(request, answer ?? NextResponse.next(), { identity, parent })
  }
}

/** The span that the handler runs in, if it will be there for the route to hang from. */
function activeSpan(): Forwarded['parent'] {
  const span = trace.getActiveSpan()
  if (!span?.isRecording() || !isSpanContextValid(span.spanContext())) return undefined
  const { traceId, spanId, traceFlags } = span.spanContext()
  return { traceId, spanId, traceFlags }
}
