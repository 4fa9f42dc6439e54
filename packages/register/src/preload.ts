import type { Environment } from '@svc/core/environment'
import { getGlobalLogger } from '@svc/core/log'
import { getRuntime } from '@svc/core/registry'
import { adoptAiSdk } from '@svc/instrumentation/ai-sdk/adopt'
import { configure } from '@svc/instrumentation/configure'
import { awaitPackages } from '@svc/instrumentation/hook'
import { HOOKED_PACKAGES } from '@svc/instrumentation/hooked-packages'
import type * as Engine from './engine.ts'
import { awaitUse, stopAwaiting } from './first-use.ts'
import { ROUTED_PACKAGES } from './http-root/routed-packages.ts'
import { lazy } from './lazy.ts'
import { listenToRequests } from './request-channels.ts'
import { prepareForModelRequests, reportUnseen } from './sent-requests.ts'
import { environmentForLater } from './start-later.ts'

/**
 * Starts the pipeline as the preload of a process or thread: the first stage of two. What is not needed at once is loaded
 * and registered before its absence could be noticed.
 *
 * @param load loads the second stage
 */
export function preload(load: () => typeof Engine): void {
  // Another copy of this package, or `start()`, was first.
  if (getRuntime()) return
  const env = environmentForLater()
  if (env) startLater(load, env)
  else load().prepareAtOnce()
}

/** Prepares the pipeline with the first library, request, or use of OpenTelemetry's API or the runtime. */
function startLater(load: () => typeof Engine, env: Environment): void {
  // Now, because the application may freeze the global object, or configure the same.
  getGlobalLogger()
  configure({})
  const prepared = lazy(() => load().prepare(env))
  awaitUse(() => prepared()?.register())
  try {
    // Before packages are looked for: where one was loaded already, everything is prepared at once.
    prepareForModelRequests(prepared)
    const coverage = awaitPackages([...HOOKED_PACKAGES, ...ROUTED_PACKAGES], prepared)
    adoptAiSdk(() => prepared() && load().loadAiSdkTelemetry())
    listenToRequests(() => prepared()?.requests())
    if (coverage === 'all') reportUnseen(() => load().unseenLibraries(undefined, env))
    // Reports what cannot be hooked.
    else prepared()
  } catch (error) {
    stopAwaiting()
    throw error
  }
}
