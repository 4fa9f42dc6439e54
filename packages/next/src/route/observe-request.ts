import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { APP_HEADER } from '@svc/core/attributes'
import { claimTrace } from '@svc/core/context'
import { withSpan } from '@svc/core/flat-context'
import { startIn } from '@svc/tracing/adapters'
import { deliverWithRequests } from '../delivery.ts'
import { capturesContent } from '../host.ts'
import { hasIdentity, mergeIdentities, resolveIdentity } from '../identity/identity.ts'
import { propagateIdentity } from '../identity/propagate.ts'
import { type Forwarded, unseal } from '../identity/seal.ts'
import { trustedContext } from '../identity/trust.ts'
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
  const { name, asType = 'span', captureOutput = capturesContent() } = options
  const root = startIn(outer, name ?? `${request.method} ${route}`, undefined, { asType })
  if (!root.otelSpan.isRecording()) {
    return context.with(withSpan(outer, root.otelSpan), () => handler(request, routeContext))
  }
  root.otelSpan.setAttributes({ 'http.request.method': request.method, 'http.route': route })
  leaveEmptyAs(options, root.otelSpan)
  if (options.captureInput ?? capturesContent()) watchInput(request, (input) => root.update({ input }))

  const within = claimTrace(withSpan(outer, root.otelSpan), root.traceId)
  const end = new ResponseEnd(
    within,
    root,
    attempt('read the signal of a request', () => request.signal),
  )
  const found = hasIdentity(options)
    ? await context.with(within, () => resolveIdentity(options, [request, routeContext]))
    : {}
  const identity = mergeIdentities(forwarded?.identity, found)
  try {
    const response = await context.with(within, () =>
      propagateIdentity({ ...identity, traceName: name }, () => {
        end.context = context.active()
        return handler(request, routeContext)
      }),
    )
    // Next reads no body for HEAD.
    const captured = captureOutput && request.method !== 'HEAD'
    const sent = attempt('follow a response', () => sentBack(response, end, root.traceId, options, captured))
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
  end.root.otelSpan.setAttribute('http.response.status_code', response.status)
  return followResponse(response, end, captureOutput)
}
