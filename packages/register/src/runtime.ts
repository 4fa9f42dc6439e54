import { context, propagation, trace } from '@opentelemetry/api'
import type { Instrumentation } from '@opentelemetry/instrumentation'
import { keepAlive } from '@svc/core/keep-alive'
import { log, messageOf, warnOnce } from '@svc/core/log'
import { claimRuntime, type Runtime, releaseRuntime } from '@svc/core/registry'
import { within } from '@svc/core/timers'
import { buildEngine, type Engine } from './build-engine.ts'
import { FlatContextManager } from './flat-context-manager.ts'
import { type Lazy, lazy } from './lazy.ts'
import { occupied, reachEarlierTracers, reportAdditionalProviders } from './other-provider.ts'
import { propagateTo } from './outgoing.ts'
import type { Plan } from './plan.ts'
import { refused } from './provider-lines.ts'
import type { RequestFollower } from './request-channels.ts'
import { startStandard } from './second-destination.ts'
import { LazyPropagator, LazyTracerProvider } from './stand-ins.ts'
import { watch } from './watchers.ts'

/**
 * Passes requests and calls of libraries to a pipeline.
 *
 * @returns the instrumentations of OpenTelemetry's catalogue that were loaded
 */
export type Arm = (requests: () => RequestFollower | undefined) => Instrumentation[]

/**
 * Registers the pipeline with OpenTelemetry's API, and as the runtime of the process. Its engine is created when there
 * is something to record.
 *
 * @param arm is called when the provider is registered
 * @returns undefined where another provider is registered, which is reported
 */
export function run(plan: Plan, arm: Arm): Runtime | undefined {
  const obstacle = occupied()
  if (obstacle) {
    warnOnce(obstacle)
    return undefined
  }
  const contextManager = new FlatContextManager().enable()
  const engine = lazy(() => buildEngine(plan, contextManager))
  const provider = new LazyTracerProvider(engine, contextManager)
  reachEarlierTracers(provider)
  if (!trace.setGlobalTracerProvider(provider)) {
    warnOnce(refused())
    return undefined
  }
  try {
    // A partial pipeline would be worse than none.
    if (plan.needsEngine && !engine()) unregister()
    else return claim(plan, engine, connect(plan, engine, contextManager, arm))
  } catch (error) {
    unregister()
    void engine.end()?.shutdown()
    throw error
  }
  return undefined
}

function unregister(): void {
  trace.disable()
  context.disable()
  propagation.disable()
}

/** Registers everything that feeds the pipeline: context, propagation, requests, instrumentations. */
function connect(plan: Plan, engine: Lazy<Engine>, contextManager: FlatContextManager, arm: Arm): () => Promise<void> {
  const instrumentations = arm(() => engine()?.requests)
  if (plan.preload.propagateTo.length > 0) {
    propagateTo(
      plan.preload.propagateTo,
      instrumentations.map(({ instrumentationName }) => instrumentationName),
    )
  }
  if (!context.setGlobalContextManager(contextManager)) {
    warnOnce(
      'another OpenTelemetry context manager was registered first, so the calls of one request may be in several ' +
        'traces. Put --import @svc/register before the module that registers it.',
    )
  }
  propagation.setGlobalPropagator(new LazyPropagator(engine))
  if (!plan.second) return async () => {}
  const standard = startStandard(instrumentations, plan.env)
  return () => standard.shutdown()
}

function claim(plan: Plan, engine: Lazy<Engine>, stopStandard: () => Promise<void>): Runtime {
  const timeoutMs = plan.preload.shutdownTimeout * 1_000
  const stopReporting = reportAdditionalProviders(warnOnce)
  const shutdown = async () => {
    releaseRuntime()
    stopReporting()
    unregister()
    await Promise.all([engine.end()?.shutdown(), stopStandard()])
  }
  return claimRuntime({
    owner: plan.owner,
    attach: (options) => {
      if (Object.values(options).some((value) => value !== undefined)) engine()?.attach(options)
    },
    forceFlush: async () => engine()?.flush(),
    health: () => engine()?.health(),
    watch,
    async shutdown() {
      try {
        await keepAlive(within(shutdown(), timeoutMs), timeoutMs)
      } catch (error) {
        log.debug(`could not deliver the last spans: ${messageOf(error)}`)
      }
    },
  })
}
