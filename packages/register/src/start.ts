import { context, propagation, trace } from '@opentelemetry/api'
import { type Environment, hostEnvironment } from '@svc/core/environment'
import { flushExitHandlers, onExit } from '@svc/core/exit'
import { keepAlive } from '@svc/core/keep-alive'
import { log, messageOf, warnOnce } from '@svc/core/log'
import { endOpenCalls } from '@svc/core/open-calls'
import { claimRuntime, getRuntime, type Runtime, releaseRuntime } from '@svc/core/registry'
import { within } from '@svc/core/timers'
import { FlatContextManager } from './flat-context-manager.ts'
import { instrument } from './instrument.ts'
import { occupied, reachEarlierTracers, refused, reportLateProviders } from './other-provider.ts'
import { propagateTo } from './outgoing.ts'
import { buildPipeline, type Pipeline, type SecondDestination } from './pipeline.ts'
import { type Plan, planOf } from './plan.ts'
import { propagatorOf } from './propagators.ts'
import { followRequests } from './request-context.ts'
import { startStandard } from './second-destination.ts'
import type { StartOptions } from './start-options.ts'
import { watch } from './watchers.ts'

export type { StartOptions } from './start-options.ts'

/**
 * Builds and registers the one pipeline of this process: settings, processor, provider, context, instrumentations,
 * the end of the process. The only place that does. Where a pipeline runs already, it gets `options` attached instead.
 *
 * Never throws over configuration: what is wrong is said in one line, and the application runs as without us.
 *
 * @param env where variables are looked up. Default: the environment of the process.
 * @returns the running pipeline, or undefined when there is none: switched off, no keys, or another provider.
 */
export function start(options: StartOptions = {}, env: Environment = hostEnvironment): Runtime | undefined {
  const running = getRuntime()
  if (running) {
    const { owner: _, ...added } = options
    running.attach(added)
    return running
  }
  try {
    const plan = planOf(options, env)
    return plan && run(plan)
  } catch (error) {
    log.error(`svc cannot start, so nothing is traced: ${messageOf(error)}`)
    return undefined
  }
}

function run(plan: Plan): Runtime | undefined {
  const obstacle = occupied()
  if (obstacle) {
    warnOnce(obstacle)
    return undefined
  }
  const pipeline = buildPipeline(plan)
  reachEarlierTracers(pipeline.provider)
  if (!trace.setGlobalTracerProvider(pipeline.provider)) {
    warnOnce(refused())
    return undefined
  }
  try {
    return claim(plan, pipeline, arm(plan, pipeline))
  } catch (error) {
    // Half a pipeline would be worse than none.
    unregister()
    void pipeline.shutdown()
    throw error
  }
}

function unregister(): void {
  trace.disable()
  context.disable()
  propagation.disable()
}

/** Everything that feeds the pipeline: context, propagation, requests, instrumentations. */
function arm(plan: Plan, { ids, roots, trustsTraceparent, requestValues }: Pipeline): () => Promise<void> {
  const contextManager = new FlatContextManager().enable()
  const textMapPropagator = propagatorOf(
    plan.preload.propagators,
    warnOnce,
    plan.service.trustBaggage,
    trustsTraceparent,
  )
  const instrumentations = plan.instrument ? instrument(plan) : []
  followRequests(contextManager, ids, { trustsTraceparent, requestValues, openRequest: roots?.openRequest })
  propagateTo(
    plan.preload.propagateTo,
    instrumentations.map(({ instrumentationName }) => instrumentationName),
  )
  if (!context.setGlobalContextManager(contextManager)) {
    warnOnce(
      'another OpenTelemetry context manager was registered first, so the calls of one request may land in several ' +
        'traces. Put --import @svc/register before what registers it.',
    )
  }
  propagation.setGlobalPropagator(textMapPropagator)
  if (!plan.second) return async () => {}
  const standard = startStandard(instrumentations, plan.env)
  return () => standard.shutdown()
}

function claim(plan: Plan, pipeline: Pipeline, stopStandard: () => Promise<void>): Runtime {
  const timeoutMs = plan.preload.shutdownTimeout * 1_000
  const { second } = pipeline
  let isOverdue = false
  const finish = () => {
    endOpenCalls()
    pipeline.roots?.flush()
  }
  // The spans for the service are handled by their processor. Here is what comes before it, and what is beside it.
  const exit = onExit({
    timeoutMs,
    finish,
    pending: () => second?.pending ?? false,
    needsEventLoop: () => second?.pending ?? false,
    flush: async () => {
      isOverdue = !(await keepAlive(flushSecond(second, timeoutMs), timeoutMs))
    },
    // Its sockets and timers are not ours: they would go on.
    isOverdue: () => isOverdue,
  })
  pipeline.onFirstSpan(exit.listen)
  log.debug(`${plan.owner} sends to ${destinationOf(plan)}.`)
  const ignoreLateProviders = reportLateProviders(warnOnce)
  const shutdown = async () => {
    releaseRuntime()
    ignoreLateProviders()
    unregister()
    finish()
    exit.remove()
    await Promise.all([pipeline.shutdown(), stopStandard()])
  }
  return claimRuntime({
    owner: plan.owner,
    attach: (options) => pipeline.attach(options),
    // With the scores of `@svc/client`: who flushes at the end of a request means everything.
    forceFlush: flushExitHandlers,
    health: () => pipeline.processor?.health(),
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
    `gave up on the last spans: the second destination did not take them within ${waited} s (SVC_SHUTDOWN_TIMEOUT).`,
  )
  return false
}

function destinationOf({ sends, second, service }: Plan): string {
  const own = sends ? [service.baseUrl ?? 'the exporter'] : []
  return [...own, ...(second ? ['the second destination'] : [])].join(' or ')
}
