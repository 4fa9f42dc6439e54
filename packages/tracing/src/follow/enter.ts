import type { Context } from '@opentelemetry/api'
import { context } from '@svc/core/api'
import { builtin } from '@svc/core/builtin'
import { ON_SERVER } from '@svc/core/on-server'

type Resource = typeof import('node:async_hooks')['AsyncResource']

/** Node's class, looked for once: every stream needs it. */
let Resource: Resource | undefined

/**
 * Returns a function that runs work in `inner`, cheaply when it is called often. Every `context.with` copies the
 * application's async contexts; here only the first call does, if Node can return to that context.
 */
export function enter(inner: Context): <R>(work: () => R) => R {
  if (ON_SERVER) Resource ??= builtin('node:async_hooks')?.AsyncResource
  const Inside = Resource
  if (!Inside) return (work) => context.with(inner, work)
  let inside: InstanceType<Resource> | undefined
  return (work) => {
    if (inside) return inside.runInAsyncScope(work)
    return context.with(inner, () => {
      inside = new Inside('SvcStream')
      return work()
    })
  }
}
