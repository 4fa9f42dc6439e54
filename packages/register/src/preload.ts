import { hostEnvironment } from '@svc/core/environment'
import { getGlobalLogger } from '@svc/core/log'
import { getRuntime } from '@svc/core/registry'
import { adoptAiSdk, loadAiSdkTelemetry } from '@svc/instrumentation/ai-sdk/adoption'
import { configure } from '@svc/instrumentation/configure'
import { awaitPackages } from '@svc/instrumentation/hook'
import { HOOKED_PACKAGES } from '@svc/instrumentation/hooked-packages'
import { awaitUse, stopAwaiting } from './first-use.ts'
import { ROUTED_PACKAGES } from './http-root/routed-packages.ts'
import { late } from './late.ts'
import { planOf, prepare, prepareAtOnce } from './late-prepare.ts'
import type { Prepared } from './prepare.ts'
import { listenToRequests } from './request-channels.ts'
import { canStartLater, isThread } from './start-later.ts'
import { reportUnseen } from './unseen.ts'

/**
 * Starts the pipeline as the preload of a process or thread. What is not needed at once is loaded and registered before
 * its absence could be noticed.
 */
export function preload(): void {
  // Another copy of this package, or `start()`, was first.
  if (getRuntime()) return
  if (!canStartLater()) {
    prepareAtOnce()
  } else if (isThread()) {
    // The process has reported what is wrong with the settings.
    startLater(prepare)
  } else {
    const plan = planOf()
    if (plan) startLater(() => prepare(plan))
  }
}

/** Prepares the pipeline with the first library, request, or use of OpenTelemetry's API or the runtime. */
function startLater(prepare: () => Prepared | undefined): void {
  // Now, because the application may freeze the global object, or configure the same.
  getGlobalLogger()
  configure({})
  const prepared = late(prepare)
  awaitUse(() => prepared()?.register())
  try {
    const coverage = awaitPackages([...HOOKED_PACKAGES, ...ROUTED_PACKAGES, '@opentelemetry/api'], prepared)
    adoptAiSdk(() => prepared() && loadAiSdkTelemetry())
    listenToRequests(() => prepared()?.requests())
    if (coverage === 'all') reportUnseen(undefined, hostEnvironment)
    // Reports what cannot be hooked.
    else prepared()
  } catch (error) {
    stopAwaiting()
    throw error
  }
}
