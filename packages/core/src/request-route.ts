import { type Context, context } from '@opentelemetry/api'
import { requestIn } from './muted-span.ts'

/**
 * Sets the route of the request that is being served: its root is named by it, `GET /users/[id]`, and has it as
 * `http.route`. For frameworks whose router the preload does not see, which is so in most bundles. Does nothing outside
 * of a request that has such a root.
 *
 * @param route the pattern that the router matched. Anything but a string, and what matches every path, changes nothing
 */
export function setRoute(route: unknown, within: Context = context.active()): void {
  const request = requestIn(within)
  // React Router's patterns begin without a slash.
  if (request && isRoute(route)) request.route = route.startsWith('/') ? route : `/${route}`
}

/** What stands for any path: `*`, `/*`, `/**`, `/*splat`, `/{*splat}`, `(.*)`, `/:path*`. */
const CATCH_ALL = /^\/?\{?\/?(?:\*{1,2}\w*|\(\.\*\)|:\w+\*)\}?$/

/** Whether this says more of a request than that there was one: applications put one route around a framework. */
export function isRoute(route: unknown): route is string {
  return typeof route === 'string' && !CATCH_ALL.test(route)
}
