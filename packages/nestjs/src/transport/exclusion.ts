import type { MiddlewareConsumer } from '@nestjs/common'
import { attempt } from '@svc/core/attempt'
import { log } from '@svc/core/log'
import type { SvcRoute } from '../options.ts'

/** Returns whether a request is left alone. Never throws. */
export type IsExcluded = (request: unknown, response: unknown) => boolean

/** A middleware with `exclude()`, as Nest compiles it: it calls ours, or only the next one. */
interface Middleware {
  use(request: unknown, response: unknown, next: () => void): unknown
}

interface Builder {
  build(): readonly { readonly middleware: readonly (new () => Middleware)[] }[]
}

/**
 * Understands patterns as Nest's own middleware does: prefixes, versions and trailing slashes included. Nest compiles
 * them for a middleware of no route, which we ask before anything is made for a request; mounted twice, as a skip and
 * its counterpart, it would cost as much as the request.
 */
export function exclusionOf(consumer: MiddlewareConsumer, exclude: readonly SvcRoute[]): IsExcluded {
  if (exclude.length === 0) return () => false
  let reached = false
  const probe = () => {
    reached = true
  }
  const middleware = attempt('compile exclude', () => {
    const builder = consumer
      .apply(probe)
      .exclude(...exclude)
      .forRoutes() as unknown as Builder
    const Compiled = builder.build().at(-1)?.middleware[0]
    return Compiled && new Compiled()
  })
  if (!middleware) {
    log.once('warn', 'option exclude of SvcModule is ignored: this version of Nest compiles routes differently.')
    return () => false
  }
  const nothing = () => {}
  const isMatch: IsExcluded = (request, response) => {
    reached = false
    middleware.use(request, response, nothing)
    return !reached
  }
  return (request, response) => attempt('match exclude', isMatch, request, response) ?? false
}
