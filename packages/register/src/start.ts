import { context, propagation, trace } from '@opentelemetry/api'
import { type Environment, hostEnvironment } from '@svc/core/environment'
import { flushParties, guardExit } from '@svc/core/exit-gate'
import { log, messageOf, warnOnce } from '@svc/core/log'
import { endOpenCalls } from '@svc/core/open-calls'
import { claimRuntime, getRuntime, type Runtime, releaseRuntime } from '@svc/core/registry'
import { FlatContextManager } from './flat-context-manager.ts'
import { instrument } from './instrument.ts'
import { occupied, refused } from './other-provider.ts'
import { buildPipeline, type Pipeline } from './pipeline.ts'
import { type Plan, planOf, type StartOptions } from './plan.ts'
import { propagatorOf } from './propagators.ts'
import { followRequests } from './request-context.ts'
import { startStandard } from './second-destination.ts'

export type { StartOptions } from './plan.ts'

/**
 * Builds and registers the one pipeline of this process: settings, processor, provider, context, instrumentations,
 * exit gate. The only place that does. Where a pipeline runs already, it gets `options` attached instead.
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
function arm(plan: Plan, { ids, roots }: Pipeline): () => Promise<void> {
  const contextManager = new FlatContextManager().enable()
  const textMapPropagator = propagatorOf(plan.preload.propagators, warnOnce, plan.service.trustBaggage)
  const instrumentations = instrument(plan)
  followRequests(contextManager, ids, roots?.openRequest)
  if (plan.second) {
    const standard = startStandard({ contextManager, textMapPropagator, instrumentations }, plan.env)
    return () => standard.shutdown()
  }
  if (!context.setGlobalContextManager(contextManager)) {
    warnOnce(
      'another OpenTelemetry context manager was registered first, so the calls of one request may land in several ' +
        'traces. Put --import @svc/register before what registers it.',
    )
  }
  propagation.setGlobalPropagator(textMapPropagator)
  return async () => {}
}

function claim(plan: Plan, pipeline: Pipeline, stopStandard: () => Promise<void>): Runtime {
  const finish = () => {
    endOpenCalls()
    pipeline.roots?.flush()
  }
  const quietly = (work: () => Promise<unknown>) => () =>
    work().then(
      () => {},
      (error: unknown) => log.debug(`could not deliver the last spans: ${messageOf(error)}`),
    )
  const destination = destinationOf(plan)
  const guard = guardExit({
    what: 'spans',
    finish,
    flush: pipeline.flush,
    pending: pipeline.pending,
    timeout: plan.preload.shutdownTimeout * 1_000,
    destination,
    endsLate: plan.second,
  })
  pipeline.onFirstSpan(guard.arm)
  log.debug(`${plan.owner} sends to ${destination}.`)
  return claimRuntime({
    owner: plan.owner,
    attach: (options) => pipeline.attach(options),
    // With the scores of `@svc/client`: who flushes at the end of a request means everything.
    forceFlush: flushParties,
    health: () => pipeline.processor?.health(),
    shutdown: quietly(async () => {
      releaseRuntime()
      unregister()
      finish()
      await pipeline.flush()
      await Promise.all([pipeline.shutdown(), stopStandard()])
      guard.leave()
    }),
  })
}

function destinationOf({ sends, second, service }: Plan): string {
  const own = sends ? [service.baseUrl ?? 'the exporter'] : []
  return [...own, ...(second ? ['the second destination'] : [])].join(' or ')
}
