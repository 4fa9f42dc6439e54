import { type Context, context } from '@opentelemetry/api'
import { requestIn } from '@svc/core/muted-span'

/** Sets the route of the request in a context. */
export function setRoute(route: unknown, within: Context = context.active()): void {
  const request = requestIn(within)
  if (request && typeof route === 'string') request.route = route
}
