import { type Context, context } from '@opentelemetry/api'
import { builtin } from './builtin.ts'

/**
 * Returns a function that runs work in `inner`, cheaply when it is called often. Every `context.with` copies the
 * application's async contexts; here only the first call does, if Node can return to that context.
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
