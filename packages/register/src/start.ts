import { context, propagation, trace } from '@opentelemetry/api'
import { type Environment, hostEnvironment } from '@svc/core/environment'
import { keepAlive } from '@svc/core/keep-alive'
import { log, messageOf, warnOnce } from '@svc/core/log'
import { claimRuntime, getRuntime, type Runtime, releaseRuntime } from '@svc/core/registry'
import { within } from '@svc/core/timers'
import type { Engine } from './engine.ts'
import { FlatContextManager } from './flat-context-manager.ts'
import { instrument } from './instrument.ts'
import { type Late, late } from './late.ts'
import { buildEngine, contextBinding, propagateTo, refused } from './late-parts.ts'
import { startStandard } from './late-settings.ts'
import { occupied, reachEarlierTracers, reportLateProviders } from './other-provider.ts'
import { type Plan, planOf } from './plan.ts'
import { listenToRequests } from './requests.ts'
import { LatePropagator, LateTracerProvider } from './stand-ins.ts'
import type { StartOptions } from './start-options.ts'
import { watch } from './watchers.ts'

export type { StartOptions } from './start-options.ts'

/**
 * Registers the one pipeline of this process: settings, provider, context, instrumentations. The only place that does.
 * What records and delivers is loaded when something comes that is to be recorded. Where a pipeline runs already, it gets
 * `options` attached instead.
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
  const contextManager = new FlatContextManager(contextBinding).enable()
  const engine = late(() => buildEngine(plan, contextManager))
  const provider = new LateTracerProvider(engine)
  reachEarlierTracers(provider)
  if (!trace.setGlobalTracerProvider(provider)) {
    warnOnce(refused())
    return undefined
  }
  try {
    // A partial pipeline would be worse than none.
    if (plan.needsEngine && !engine()) unregister()
    else return claim(plan, engine, arm(plan, engine, contextManager))
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
function arm(plan: Plan, engine: Late<Engine>, contextManager: FlatContextManager): () => Promise<void> {
  const instrumentations = instrument(plan)
  listenToRequests(() => engine()?.requests)
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
  propagation.setGlobalPropagator(new LatePropagator(engine))
  if (!plan.second) return async () => {}
  const standard = startStandard(instrumentations, plan.env)
  return () => standard.shutdown()
}

function claim(plan: Plan, engine: Late<Engine>, stopStandard: () => Promise<void>): Runtime {
  const timeoutMs = plan.preload.shutdownTimeout * 1_000
  log.debug(`${plan.owner} sends to ${destinationOf(plan)}.`)
  const ignoreLateProviders = reportLateProviders(warnOnce)
  const shutdown = async () => {
    releaseRuntime()
    ignoreLateProviders()
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

function destinationOf({ sends, second, service }: Plan): string {
  const own = sends ? [service.baseUrl ?? 'the exporter'] : []
  return [...own, ...(second ? ['the second destination'] : [])].join(' or ')
}
