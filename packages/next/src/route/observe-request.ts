import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { APP_HEADER } from '@svc/core/attributes/constants'
import * as GENERAL from '@svc/core/attributes/general'
import { claimTrace } from '@svc/core/context'
import { withSpan } from '@svc/core/flat-context'
import { deliverWithRequests } from '../delivery.ts'
import { capturesContent } from '../host.ts'
import { hasIdentity, mergeIdentities, resolveIdentity } from '../identity/identity.ts'
import { withIdentity } from '../identity/propagate.ts'
import { type Forwarded, unseal } from '../identity/seal.ts'
import { trustedContext } from '../identity/trust.ts'
import { startObservation, writeFields } from '../observation.ts'
import { leaveEmptyAs } from '../work.ts'
import { followResponse } from './follow-response.ts'
import { watchInput } from './request-input.ts'
import { ResponseEnd } from './response-end.ts'
import { routeOf } from './route-of.ts'
import type { WithSvcOptions } from './with-svc.ts'

/** One request of a wrapped route handler. What the handler returns or throws reaches Next as it is. */
export async function observeRequest<Req extends Request, Ctx>(
  options: WithSvcOptions<[Req, Ctx]>,
  handler: (request: Req, context: Ctx) => Response | Promise<Response>,
  request: Req,
  routeContext: Ctx,
): Promise<Response> {
  deliverWithRequests()
  const forwarding = forwardedWith(request)
  const naming = routeOf(request, routeContext)
  const [route, forwarded] = forwarding ? await Promise.all([naming, forwarding]) : [await naming]
  const outer = trustedContext(forwarded)
  const { name, captureOutput = capturesContent() } = options
  const span = startObservation(outer, name ?? `${request.method} ${route}`, options.asType)
  if (!span.isRecording()) return context.with(withSpan(outer, span), () => handler(request, routeContext))
  const { traceId } = span.spanContext()
  span.setAttributes({ [GENERAL.HTTP_REQUEST_METHOD]: request.method, [GENERAL.HTTP_ROUTE]: route })
  leaveEmptyAs(options, span)
  if (options.captureInput ?? capturesContent()) watchInput(request, (input) => writeFields(span, { input }))

  const within = claimTrace(withSpan(outer, span), traceId)
  const end = new ResponseEnd(
    within,
    span,
    attempt('read the signal of a request', () => request.signal),
  )
  const found = hasIdentity(options)
    ? await context.with(within, () => resolveIdentity(options, [request, routeContext]))
    : {}
  const identity = mergeIdentities(forwarded?.identity, found)
  try {
    end.context = withIdentity(within, { ...identity, traceName: name })
    const response = await context.with(end.context, () => handler(request, routeContext))
    // Next reads no body for HEAD.
    const captured = captureOutput && request.method !== 'HEAD'
    const sent = attempt('follow a response', () => sentBack(response, end, traceId, options, captured))
    if (request.method === 'HEAD') end.done()
    if (sent === undefined) end.done()
    return sent ?? response
  } catch (error) {
    end.fail(error)
    throw error
  }
}

function forwardedWith(request: Request): Promise<Forwarded | undefined> | undefined {
  const header = attempt('read a header', () => request.headers.get(APP_HEADER.IDENTITY))
  return header ? unseal(header) : undefined
}

function sentBack(
  response: Response,
  end: ResponseEnd,
  traceId: string,
  { traceHeader }: { readonly traceHeader?: boolean | undefined },
  captureOutput: boolean,
): Response {
  if (!(response instanceof Response)) {
    end.done()
    return response
  }
  // A response of `fetch` or `Response.redirect` takes no header.
  if (traceHeader) attempt('name the trace', () => response.headers.set(APP_HEADER.TRACE_ID, traceId))
  end.span.setAttribute(GENERAL.HTTP_RESPONSE_STATUS_CODE, response.status)
  return followResponse(response, end, captureOutput)
}
