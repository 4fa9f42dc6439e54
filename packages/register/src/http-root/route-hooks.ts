import { subscribe } from 'node:diagnostics_channel'
import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { requestIn } from '@svc/core/muted-span'
import * as SLOTS from '@svc/core/slots'
import type { ModuleTarget } from '@svc/instrumentation/hook'

/** Called with the route of the current request. */
export type OnRoute = (route: unknown) => void

/** Told of a route that was matched, and where it may be of a part of the request, of the path that it matched. */
type Report = (route: unknown, path?: string) => void

/** The global through which edited code of Hono and h3 calls {@link Report}. */
const SLOT = Symbol.for(SLOTS.ROUTE)
const OURS = `globalThis[Symbol.for("${SLOT.description}")]`

/**
 * Reports the routes of requests. Express leaves its route on the request, and Fastify publishes it. Other routers keep
 * it in objects that cannot be reached from a request.
 */
export function followRoutes(onRoute: OnRoute): readonly ModuleTarget[] {
  const paths = new WeakMap<object, string>()
  // What a handler asks of its own application is a part of its request, which keeps its route. Not so the rest of its path.
  const isPart = (path?: string) => {
    const request = path && requestIn(context.active())
    if (!request) return false
    const own = path.replace(/\?.*/, '')
    const whole = paths.get(request) ?? own
    paths.set(request, whole)
    return !whole.endsWith(own)
  }
  const report: Report = (route, path) => void attempt('name a request', () => isPart(path) || onRoute(route))
  subscribe('tracing:fastify.request.handler:start', (message) => {
    const { request, route } = message as FastifyMessage
    report(route?.url, request?.raw?.url)
  })
  // Not where the application has frozen the global object: the routes of Hono and h3 are not seen then.
  Reflect.defineProperty(globalThis, SLOT, { value: report, configurable: true })
  return [
    ...['@koa/router', 'koa-router'].map((name) => ({
      package: name,
      files: ['dist/index.js', 'dist/index.mjs', 'lib/router.js', 'lib/router.mjs'],
      apply: (exports: unknown) => followKoaRouter(exports, report),
    })),
    {
      package: 'hono',
      files: ['dist/hono-base.js', 'dist/cjs/hono-base.js'],
      edit: (source) => source.replace(HONO, `const matchResult = ${OURS_OF_HONO}($1);`),
      apply: () => {},
    },
    {
      package: 'h3',
      files: ['dist/_entries/node.mjs', 'dist/index.mjs', 'dist/index.cjs'],
      edit: (source) => source.replace(H3, `$& ${OURS}?.(match.matched?.path, event.path);`),
      apply: (exports) => followH3(exports, report),
    },
  ]
}

interface FastifyMessage {
  readonly request?: { readonly raw?: { readonly url?: string } }
  readonly route?: { readonly url?: unknown }
}

const HONO = /const matchResult = (this\.router\.match\(method, path\));/
/** The last matching handler is that of the route, after middleware. */
const OURS_OF_HONO = `((found) => (${OURS}?.(found?.[0]?.at(-1)?.[0]?.[1]?.path, path), found))`
/** Version 1. */
const H3 = /event\.context\.matchedRoute = match\.matched;/

type Method = (this: unknown, ...args: unknown[]) => unknown
type Methods = Record<string, unknown>

/** Its router matches a request before the handlers of the route run. */
function followKoaRouter(exports: unknown, report: Report): void {
  const { default: main, Router = main ?? exports } = exports as Methods
  after(Router, 'match', (matched) => {
    const { pathAndMethod } = matched as { pathAndMethod?: readonly { path?: unknown; methods?: { length: number } }[] }
    const layer = pathAndMethod?.findLast(({ methods }) => (methods?.length ?? 0) > 0)
    if (layer) report(layer.path)
  })
}

/** From version 2 on. */
function followH3(exports: unknown, report: Report): void {
  after((exports as Methods).H3, '~findRoute', (found, [event]) => {
    const { data } = (found ?? {}) as { data?: { route?: unknown } }
    if (data) report(data.route, (event as { url?: { pathname?: string } }).url?.pathname)
  })
}

/** Wraps a method of a class to read its results. */
function after(owner: unknown, name: string, look: (result: unknown, args: unknown[]) => void): void {
  const prototype: Methods | undefined = typeof owner === 'function' ? owner.prototype : undefined
  const original = prototype?.[name]
  if (!prototype || typeof original !== 'function' || LOOKED.has(original)) return
  const replacement: Method = function (...args) {
    const result: unknown = Reflect.apply(original, this, args)
    attempt('look for a route', () => look(result, args))
    return result
  }
  LOOKED.add(replacement)
  prototype[name] = replacement
}

/** Methods that are wrapped already: several files of a package export the same class. */
const LOOKED = new WeakSet<object>()
