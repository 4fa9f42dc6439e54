import { getRuntime } from '@svc/core/registry'
import { apiGlobal } from './api-global.ts'
import { arm } from './arm.ts'
import { awaitUse, stopAwaiting } from './first-use.ts'
import { late } from './late.ts'
import { run } from './late-runtime.ts'
import { type Plan, planOf } from './plan.ts'
import { hasOtherPreload } from './preloads.ts'
import type { RequestFollower } from './request-channels.ts'

/**
 * Starts the pipeline as the preload of a process. Settings are read and libraries are hooked at once; the rest is loaded
 * and registered before its absence could be noticed: with the first request, and before OpenTelemetry's API
 * or the runtime is used for the first time.
 */
export function preload(): void {
  // Another copy of this package, or `start()`, was first.
  if (getRuntime()) return
  const plan = planOf()
  if (!plan) return
  if (isNeededAtOnce(plan)) {
    run(plan, (requests) => arm(plan, requests))
    return
  }
  let follower: (() => RequestFollower | undefined) | undefined
  const runtime = late(() =>
    run(plan, (requests) => {
      follower = requests
      return []
    }),
  )
  awaitUse(runtime)
  try {
    arm(plan, () => {
      runtime()
      return follower?.()
    })
  } catch (error) {
    stopAwaiting()
    throw error
  }
}

/** Whether something was registered before, or has to be told of our provider, or patches what others are about to load. */
function isNeededAtOnce({ needsEngine, preload }: Plan): boolean {
  return needsEngine || preload.propagateTo.length > 0 || apiGlobal() !== undefined || hasOtherPreload()
}
