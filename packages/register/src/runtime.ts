import { type TracerProvider, trace } from '@opentelemetry/api'
import type { Instrumentation } from '@opentelemetry/instrumentation'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { apiGlobal } from '@svc/core/api-global'
import { keepAlive } from '@svc/core/keep-alive'
import { log, messageOf, warnOnce } from '@svc/core/log'
import { claimRuntime, type Runtime, releaseRuntime } from '@svc/core/registry'
import { within } from '@svc/core/timers'
import { buildEngine, type Engine } from './build-engine.ts'
import { reachEarlierTracers } from './earlier-tracers.ts'
import { FlatContextManager } from './flat-context-manager.ts'
import { HostProvider } from './host-provider.ts'
import { type Lazy, lazy } from './lazy.ts'
import { propagateTo } from './outgoing.ts'
import type { Plan } from './plan.ts'
import type { RequestFollower } from './request-channels.ts'
import { startStandard } from './second-destination.ts'
import { shareApi } from './shared-api.ts'
import { ShownContexts } from './shown-contexts.ts'
import { LazyPropagator, LazyTracerProvider } from './stand-ins.ts'
import { watch } from './watchers.ts'

/**
 * Passes requests and calls of libraries to a pipeline.
 *
 * @returns the instrumentations of OpenTelemetry's catalogue that were loaded
 */
export type Arm = (requests: () => RequestFollower | undefined) => Instrumentation[]

/**
 * Registers the pipeline with OpenTelemetry's API, beside what the application registers there, and as the runtime of the
 * process. Its engine is created when there is something to record.
 *
 * @param arm is called when the provider is registered
 * @returns undefined where no engine can be created, which is reported
 */
export function run(plan: Plan, arm: Arm): Runtime | undefined {
  const contexts = new FlatContextManager().enable()
  const host = new HostProvider(
    () => engine()?.ours,
    warnOnce,
    (theirs) => provider.isBehind(theirs),
  )
  const engine = lazy(() => buildEngine(plan, contexts, host))
  const provider = new LazyTracerProvider(engine, contexts)
  if (!apiGlobal()?.trace) reachEarlierTracers(provider)
  const join = (theirs: TracerProvider) => {
    if (theirs !== provider) host.join(theirs)
  }
  const shown = new ShownContexts(contexts, (context) => host.shown(context))
  const unregister = shareApi({ provider, contexts, shown, propagator: new LazyPropagator(engine), join })
  try {
    // A partial pipeline would be worse than none.
    if (plan.needsEngine && !engine()) unregister()
    else return claim(plan, engine, host, unregister, connect(plan, engine, arm))
  } catch (error) {
    unregister()
    void engine.end()?.shutdown()
    throw error
  }
  return undefined
}

/** Starts everything that feeds the pipeline: requests, instrumentations. */
function connect(plan: Plan, engine: Lazy<Engine>, arm: Arm): () => Promise<void> {
  const instrumentations = arm(() => engine()?.requests)
  if (plan.preload.propagateTo.length > 0) {
    propagateTo(
      plan.preload.propagateTo,
      instrumentations.map(({ instrumentationName }) => instrumentationName),
    )
  }
  if (!plan.second) return async () => {}
  const standard = startStandard(instrumentations, plan.env)
  return () => standard.shutdown()
}

function claim(
  plan: Plan,
  engine: Lazy<Engine>,
  host: HostProvider,
  unregister: () => void,
  stopStandard: () => Promise<void>,
): Runtime {
  const timeoutMs = plan.preload.shutdownTimeout * 1_000
  const shutdown = async () => {
    releaseRuntime()
    unregister()
    await Promise.all([engine.end()?.shutdown(), stopStandard()])
  }
  return claimRuntime({
    owner: plan.owner,
    attach: (options) => {
      if (Object.values(options).some((value) => value !== undefined)) engine()?.attach(options)
    },
    forceFlush: async (limitMs) => engine()?.flush(limitMs),
    health: () => engine()?.health(),
    getTracer: (scope, version) => engine()?.provider.getOwnTracer(scope, version),
    hasHost: () => host.isApart,
    onHost: (listener) => host.onJoin(listener),
    isOurs: (span) => host.delivers || (span as Partial<ReadableSpan>).resource === engine()?.ours.resource,
    startBeside: (parent, theirs, ours) =>
      host.beside.start(
        () => theirs(parent),
        (spanContext) => {
          if (!host.isApart) return undefined
          // Its provider may make its ids itself.
          const isInTrace = trace.getSpanContext(parent)?.traceId === spanContext.traceId
          return engine()?.ids.as(spanContext, () => ours(isInTrace ? parent : trace.deleteSpan(parent)))
        },
      ),
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
