import type { Context } from '@opentelemetry/api'
import { context, trace } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { APP_HEADER } from '@svc/core/attributes/constants'
import * as GENERAL from '@svc/core/attributes/general'
import { claimTrace, withKnownAttributes, withPropagatedAttributes } from '@svc/core/context'
import { withSpan } from '@svc/core/flat-context'
import { isMuted, type RequestRoot } from '@svc/core/muted-span'
import { ON_SERVER } from '@svc/core/on-server'
import { traceNameAttributes } from '@svc/tracing/adapters'
import { findRoute } from '#render'
import { deliverWithRequests } from '../delivery.ts'
import { hasIdentity, mergeIdentities, resolveIdentity } from '../identity/identity.ts'
import { withIdentity } from '../identity/propagate.ts'
import type { Forwarded } from '../identity/seal.ts'
import { unseal } from '../identity/sealed.ts'
import { trustedContext } from '../identity/trust.ts'
import { startObservation, writeFields } from '../observation.ts'
import { captureOf, leaveEmptyAs } from '../work.ts'
import { followResponse } from './follow-response.ts'
import { watchInput } from './request-input.ts'
import { ResponseEnd } from './response-end.ts'
import type { WithSvcOptions } from './with-svc.ts'

/** Returns a route handler whose requests are observed. What it returns or throws reaches Next as it is. */
export function observeRoute<Req extends Request, Ctx>(
  options: WithSvcOptions<[Req, Ctx]>,
  handler: (request: Req, context: Ctx) => Response | Promise<Response>,
): (request: Req, context: Ctx) => Promise<Response> {
  // The same for all of its requests.
  const { name, asType, captureInput, captureOutput } = captureOf(options)
  const isIdentified = hasIdentity(options)
  const named = traceNameAttributes(name)
  return async (request, routeContext) => {
    deliverWithRequests()
    const forwarding = forwardedWith(request)
    const route = findRoute(context.active())
    const forwarded = forwarding && (await forwarding)
    // The proxy has run.
    const outer = withKnownAttributes(trustedContext(forwarded))
    // In draft mode and in development Next hands over a request whose method throws, for a route that is static else.
    const method = attempt('read the method of a request', () => request.method) ?? 'GET'
    const span = startObservation(outer, name ?? (route ? `${method} ${route}` : method), asType)
    if (!span.isRecording()) return context.with(withSpan(outer, span), handler, undefined, request, routeContext)
    const { traceId } = span.spanContext()
    span.setAttributes({
      [GENERAL.HTTP_REQUEST_METHOD]: method,
      ...(route && { [GENERAL.HTTP_ROUTE]: route }),
      ...named,
    })
    leaveEmptyAs(options, span)
    if (captureInput && !BODILESS.includes(method)) watchInput(request, (input) => writeFields(span, { input }))

    const within = claimTrace(withPropagatedAttributes(withSpan(outer, span), named), traceId)
    const signal = attempt('read the signal of a request', () => request.signal)
    const end = new ResponseEnd(within, span, signal, ON_SERVER ? requestAbove(outer) : undefined)
    const found = isIdentified
      ? await context.with(within, () => resolveIdentity(options, [request, routeContext]))
      : undefined
    try {
      if (found || forwarded) end.context = withIdentity(within, mergeIdentities(forwarded?.identity, found ?? {}))
      const response = await context.with(end.context, handler, undefined, request, routeContext)
      // Next reads no body for HEAD.
      const isHead = method === 'HEAD'
      const traceHeader = options.traceHeader ? traceId : undefined
      const sent = attempt('follow a response', sentBack, response, end, traceHeader, captureOutput && !isHead)
      if (isHead || sent === undefined) end.done()
      return sent ?? response
    } catch (error) {
      end.fail(error)
      throw error
    }
  }
}

const BODILESS = ['GET', 'HEAD']

/** Returns the request as our pipeline follows it. */
function requestAbove(outer: Context): RequestRoot | undefined {
  const above = trace.getSpan(outer)
  return isMuted(above) ? above.request : undefined
}

function forwardedWith(request: Request): Promise<Forwarded | undefined> | undefined {
  const header = attempt('read a header', () => request.headers.get(APP_HEADER.IDENTITY))
  return header ? unseal(header) : undefined
}

function sentBack(
  response: Response,
  end: ResponseEnd,
  traceHeader: string | undefined,
  captureOutput: boolean,
): Response {
  if (!(response instanceof Response)) {
    end.done()
    return response
  }
  // A response of `fetch` or `Response.redirect` takes no header.
  if (traceHeader) attempt('name the trace', () => response.headers.set(APP_HEADER.TRACE_ID, traceHeader))
  end.span.setAttribute(GENERAL.HTTP_RESPONSE_STATUS_CODE, response.status)
  return followResponse(response, end, captureOutput)
}
