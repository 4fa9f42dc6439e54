import type { TextMapPropagator } from '@opentelemetry/api'
import { flushExitHandlers, onExit } from '@svc/core/exit'
import type { SvcHealth } from '@svc/core/health'
import { keepAlive } from '@svc/core/keep-alive'
import { warnOnce } from '@svc/core/log'
import { endOpenCalls } from '@svc/core/open-calls'
import { within } from '@svc/core/timers'
import { deliverWithRequests } from './deliver-with-requests.ts'
import type { FlatContextManager } from './flat-context-manager.ts'
import type { HostProvider, OurPipeline } from './host-provider.ts'
import { buildPipeline, type SecondDestination } from './pipeline.ts'
import type { Plan } from './plan.ts'
import { propagatorOf } from './propagators.ts'
import type { PipelineProvider } from './provider.ts'
import type { RequestFollower } from './request-channels.ts'
import { requestFollower } from './request-context.ts'
import type { StartOptions } from './start-options.ts'
import type { TraceIds } from './trace-ids.ts'

/** The components behind everything that is registered at startup. Loading and creating them takes time. */
export interface Engine {
  readonly provider: PipelineProvider
  /** What the application's own provider has to know. */
  readonly ours: OurPipeline
  readonly ids: TraceIds
  readonly propagator: TextMapPropagator
  readonly requests: RequestFollower
  /** Takes further options while it runs. */
  attach(options: Omit<StartOptions, 'owner'>): void
  /**
   * Flushes spans and the scores of `@svc/client`: a flush at the end of a request has to include both. Never rejects.
   *
   * @param limitMs longest time, after which what is left waits. Default: that of each destination
   */
  flush(limitMs?: number): Promise<void>
  /** The health of delivery to the service; undefined if nothing is sent there. */
  health(): SvcHealth | undefined
  /** Ends open spans, flushes and stops. */
  shutdown(): Promise<void>
}

/** Creates the pipeline, the request handling, and the delivery with requests and at exit. */
export function buildEngine(plan: Plan, contextManager: FlatContextManager, host?: HostProvider): Engine {
  const pipeline = buildPipeline(plan, host)
  const { provider, roots, ids, second, requestSettings } = pipeline
  const timeoutMs = plan.preload.shutdownTimeout * 1_000
  let isOverdue = false
  const finish = () => {
    endOpenCalls()
    roots?.flush()
  }
  // Spans for the service are handled by their processor. This handles open roots and the second destination.
  const exit = onExit({
    timeoutMs,
    finish,
    pending: () => second?.pending ?? false,
    needsEventLoop: () => second?.pending ?? false,
    flush: async (_, limitMs) => {
      if (limitMs === undefined) isOverdue = !(await keepAlive(flushSecond(second, timeoutMs), timeoutMs))
      else if (second) await keepAlive(within(second.flush(), limitMs), limitMs)
    },
    // Its sockets and timers cannot be stopped from here.
    isOverdue: () => isOverdue,
  })
  pipeline.onFirstSpan(exit.listen)
  const unwatch = deliverWithRequests()
  return {
    provider,
    ours: pipeline.ours,
    ids,
    propagator: propagatorOf(plan.propagators, requestSettings, pipeline.processor?.told),
    requests: requestFollower(contextManager, ids, requestSettings, roots),
    attach: (options) => pipeline.attach(options),
    flush: flushExitHandlers,
    health: () => pipeline.processor?.health(),
    async shutdown() {
      finish()
      unwatch?.()
      exit.remove()
      await pipeline.shutdown()
    },
  }
}

/** @returns whether it was done in time */
async function flushSecond(second: SecondDestination | undefined, timeoutMs: number): Promise<boolean> {
  if (!second) return true
  const inTime = await within(
    second.flush().then(() => true),
    timeoutMs,
  )
  if (inTime) return true
  const waited = timeoutMs / 1_000
  warnOnce(
    `gave up on the last spans: the second destination did not accept them within ${waited} s (SVC_SHUTDOWN_TIMEOUT).`,
  )
  return false
}
