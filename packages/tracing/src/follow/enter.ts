import { type Context, context } from '@opentelemetry/api'
import { builtin } from '@svc/core/builtin'

/**
 * A way into a context that is taken again and again. Every `context.with` copies all that the application keeps in async
 * contexts; here only the first does, where Node can be made to go back to it.
 */
export function enter(inner: Context): <R>(work: () => R) => R {
  const { AsyncResource } = builtin('node:async_hooks') ?? {}
  if (!AsyncResource) return (work) => context.with(inner, work)
  let inside: InstanceType<typeof AsyncResource> | undefined
  return (work) => {
    if (inside) return inside.runInAsyncScope(work)
    return context.with(inner, () => {
      inside = new AsyncResource('SvcStream')
      return work()
    })
  }
}
