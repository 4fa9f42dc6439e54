import { messageOf, warnOnce } from '@svc/core/log'
import { getRuntime } from '@svc/core/registry'
import { deliverWithRequests } from '../delivery.ts'
import { callerTrust, isBuilding, setHost } from '../host.ts'
import {
  isInactive,
  mergeIdentities,
  observeRoute,
  propagateIdentity,
  resolveIdentity,
  runWork,
  seal,
  service,
  trustedContext,
  unseal,
} from '../platform/implementation.ts'
import { setImplementation } from '../platform/implementation-edge.ts'
import { type RegisterSvcOptions, readOptions } from '../register/options.ts'
import { startOnEdge } from './edge-pipeline.ts'

/**
 * Starts tracing, for `instrumentation.ts`, in an edge runtime: a small pipeline that sends with `fetch`. Never throws
 * or rejects. Libraries cannot be hooked there: of the AI SDK register its own telemetry (`registerTelemetry`).
 */
export async function registerSvc(given: RegisterSvcOptions = {}): Promise<void> {
  try {
    const { aiSdk: _, ...options } = readOptions(given)
    const running = getRuntime()
    // Not `import * as`: a namespace that is a value costs a getter for each function, and what defines those.
    setImplementation({
      deliverWithRequests,
      isInactive,
      mergeIdentities,
      observeRoute,
      propagateIdentity,
      resolveIdentity,
      runWork,
      seal,
      service,
      trustedContext,
      unseal,
    })
    if (!running) setHost({ ...options, service: options })
    if (isBuilding()) return
    if (running) running.attach(options)
    else if (!startOnEdge(options, callerTrust())) return
    deliverWithRequests()
  } catch (error) {
    warnOnce(`@svc/next cannot start, so nothing is traced: ${messageOf(error)}`)
  }
}
