import { hostEnvironment } from '@svc/core/environment'
import { getRuntime } from '@svc/core/registry'
import { adoptAiSdk, loadAiSdkTelemetry } from '@svc/instrumentation/ai-sdk/adoption'
import { awaitPackages } from '@svc/instrumentation/hook'
import { HOOKED_PACKAGES } from '@svc/instrumentation/hooked-packages'
import { awaitUse, stopAwaiting } from './first-use.ts'
import { late } from './late.ts'
import { prepare, prepareAtOnce } from './late-prepare.ts'
import { listenToRequests } from './request-channels.ts'
import { canStartLater } from './thread.ts'
import { reportUnseen } from './unseen.ts'

/**
 * Starts the pipeline as the preload of a process or thread. What is not needed at once is loaded and registered before
 * its absence could be noticed.
 */
export function preload(): void {
  // Another copy of this package, or `start()`, was first.
  if (getRuntime()) return
  if (canStartLater()) preloadThread()
  else prepareAtOnce()
}

/**
 * Reads settings only with the first library, request, or use of OpenTelemetry's API or the runtime: the start of the
 * process has reported what is wrong with them, and most threads have none of these.
 */
function preloadThread(): void {
  const prepared = late(prepare)
  awaitUse(() => prepared()?.register())
  try {
    awaitPackages([...HOOKED_PACKAGES, '@opentelemetry/api'], prepared)
    adoptAiSdk(() => prepared() && loadAiSdkTelemetry())
    listenToRequests(() => prepared()?.requests())
    reportUnseen(undefined, hostEnvironment)
  } catch (error) {
    stopAwaiting()
    throw error
  }
}
