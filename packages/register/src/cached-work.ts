import { type Context, trace } from '@opentelemetry/api'
import { withoutVisitor } from '@svc/core/context'
import { withSpan } from '@svc/core/flat-context'
import { MutedSpan, REQUEST, traceOnly } from '@svc/core/muted-span'
import { isForCache } from '@svc/core/next-work'
import { RootRequest } from './http-root/http-request.ts'
import { unwatched } from './outside.ts'
import type { TraceIds } from './trace-ids.ts'

/** What is made for the cache while a request is served, by that request. Few requests have any. */
const made = new WeakMap<MutedSpan, MutedSpan>()

/**
 * What Next makes for its cache belongs to no visitor, whoever it was that came first: it is a trace of its own, without
 * user and session. Returns the context in which its spans start; for all other work the same.
 */
export function leaveVisitor(parent: Context, ids: TraceIds): Context {
  if (!isForCache(parent)) return parent
  const forNobody = withoutVisitor(parent)
  const request = parent.getValue(REQUEST) as MutedSpan | undefined
  if (!request) return forNobody
  const work = made.get(request) ?? makeWork(request, ids)
  const isInside = trace.getSpanContext(parent)?.traceId === work.spanContext().traceId
  return isInside ? forNobody : withSpan(forNobody, work)
}

function makeWork(request: MutedSpan, ids: TraceIds): MutedSpan {
  const work = unwatched(() => {
    const traceId = ids.generateTraceId()
    const root = request.request instanceof RootRequest ? request.request.forCache(traceId) : undefined
    return new MutedSpan(traceOnly(traceId), root)
  })
  made.set(request, work)
  return work
}
