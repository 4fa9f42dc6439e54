import { apiGlobal } from '@svc/core/api-global'
import type { Environment } from '@svc/core/environment'
import { arm } from './arm.ts'
import { planOrReportLoss } from './first-loss.ts'
import { awaitUse, stopAwaiting } from './first-use.ts'
import { instrument } from './instrument.ts'
import { lazy } from './lazy.ts'
import { type Plan, planOf } from './plan.ts'
import { hasOtherPreload } from './preloads.ts'
import type { RequestFollower } from './request-channels.ts'
import { run } from './runtime.ts'

/** A pipeline whose libraries are hooked, and which is not registered yet. */
export interface Prepared {
  /** Registers the pipeline with OpenTelemetry's API and as the runtime. Returns undefined as long as it cannot. */
  register(): unknown
  /** Returns what follows requests, after registering. */
  requests(): RequestFollower | undefined
}

/**
 * Reads settings and hooks libraries at once. The rest is loaded and registered with the first request, and before
 * OpenTelemetry's API or the runtime is used for the first time.
 */
export function prepareAtOnce(): void {
  const plan = planOrReportLoss()
  if (!plan) return
  if (isNeededAtOnce(plan)) {
    run(plan, (requests) => arm(plan, requests))
    return
  }
  const { register, requests } = unregistered(plan)
  awaitUse(register)
  try {
    arm(plan, requests)
  } catch (error) {
    stopAwaiting()
    throw error
  }
}

/** Hooks libraries when the first of them is loaded, and leaves it to the caller when to register. */
export function prepare(env: Environment): Prepared | undefined {
  const plan = planOf({}, env)
  if (!plan) return undefined
  instrument(plan)
  return unregistered(plan)
}

function unregistered(plan: Plan): Prepared {
  let follower: (() => RequestFollower | undefined) | undefined
  const register = lazy(() =>
    run(plan, (requests) => {
      follower = requests
      return []
    }),
  )
  const requests = () => {
    register()
    return follower?.()
  }
  return { register, requests }
}

/** Whether something was registered before, or has to be told of our provider, or patches what others are about to load. */
function isNeededAtOnce({ needsEngine, preload }: Plan): boolean {
  return needsEngine || preload.propagateTo.length > 0 || apiGlobal() !== undefined || hasOtherPreload()
}
