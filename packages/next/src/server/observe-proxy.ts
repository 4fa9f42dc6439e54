import { context, isSpanContextValid, trace } from '@svc/core/api'
import type { Follower } from '@svc/tracing/adapters'
import type { NextFetchEvent, NextRequest } from 'next/server.js'
import { deliverWithRequests, propagateIdentity, resolveIdentity, runWork, trustedContext } from '#implementation'
import type { Forwarded } from '../identity/seal.ts'
import type { ProxyAnswer, SvcProxyOptions } from './svc-proxy.ts'

/** Runs a proxy with the identity of the request. Returns its answer, and what `forward` passes on to the route. */
export async function observeProxy(
  options: SvcProxyOptions,
  handler: (request: NextRequest, event: NextFetchEvent) => ProxyAnswer | Promise<ProxyAnswer>,
  request: NextRequest,
  event: NextFetchEvent,
): Promise<{ readonly answer: ProxyAnswer; readonly forwarded: Forwarded }> {
  deliverWithRequests()
  const identity = await resolveIdentity(options, [request, event])
  let parent: Forwarded['parent']
  const handle = async () => {
    parent = activeSpan()
    return handler(request, event)
  }
  const { name } = options
  const work = () =>
    name === undefined
      ? handle()
      : runWork(context.active(), name, { ...options, captureOutput: false }, undefined, handle, [followAnswer])
  const answer = await context.with(trustedContext(), () => propagateIdentity(identity, work))
  return { answer, forwarded: { identity, parent } }
}

/** Ends the observation with the promise of `handle`, which is awaited here: nothing else learns whether it is handled. */
const followAnswer: Follower = (answer, ending) => {
  ending.expect()
  ;(answer as Promise<ProxyAnswer>).then(
    (response) => ending.settle(response),
    (error) => ending.fail(error),
  )
  return answer
}

/** Returns the span that the handler runs in, if the route can be its child. */
function activeSpan(): Forwarded['parent'] {
  const span = trace.getActiveSpan()
  if (!span?.isRecording() || !isSpanContextValid(span.spanContext())) return undefined
  const { traceId, spanId, traceFlags } = span.spanContext()
  return { traceId, spanId, traceFlags }
}
