import { type Context, context, createContextKey } from '@opentelemetry/api'
import type { MutedSpan } from '@svc/core/muted-span'

/** Marks the contexts of one request: its value is the request's own {@link MutedSpan}. */
export const REQUEST = createContextKey('svc.request')

/** Sets the route of the request in a context. */
export function setRoute(route: unknown, within: Context = context.active()): void {
  const { request } = (within.getValue(REQUEST) as MutedSpan | undefined) ?? {}
  if (request && typeof route === 'string') request.route = route
}
