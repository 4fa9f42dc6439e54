import { context, trace } from '@opentelemetry/api'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { type Environment, hostEnvironment } from '@svc/core/environment'
import { flushExitHandlers } from '@svc/core/exit'
import { ownFields } from '@svc/core/own'
import { claimRuntime, getRuntime, type Runtime, releaseRuntime } from '@svc/core/registry'
import { SvcSpanProcessor } from '@svc/otel'
import { FlatContextManager } from './flat-context-manager.ts'
import { mutedScopes } from './muted-scopes.ts'
import { PipelineProvider } from './provider.ts'
import { listenToRequests } from './request-channels.ts'
import { requestFollower } from './request-context.ts'
import type { StartOptions } from './start-options.ts'
import { TraceIds } from './trace-ids.ts'

export type { StartOptions } from './start-options.ts'

/**
 * `@svc/register/start` for test runners that load CommonJS modules themselves, such as Jest: there modules cannot be
 * hooked, so no library is instrumented, and nothing is sent. An exporter receives the application's observations in
 * the same tree as outside of tests.
 */
export function start(startOptions: StartOptions = {}, env: Environment = hostEnvironment): Runtime | undefined {
  const { owner = '@svc/register', ...more } = ownFields(startOptions)
  const options: Omit<StartOptions, 'owner'> = ownFields(more)
  const running = getRuntime()
  running?.attach({ ...options })
  if (running) return running
  if (!options.exporter) {
    // When loaded from single files, Node without support for requiring ES modules treats this as the real one.
    if (process.features.require_module === false) throw new Error('Node may not require ES modules.')
    return undefined
  }
  const ids = new TraceIds()
  const processor = new SvcSpanProcessor({ trustBaggage: false, ...forProcessor(options), env })
  const recording = new TracerProvider({ idGenerator: ids, spanProcessors: [processor] })
  if (!trace.setGlobalTracerProvider(new PipelineProvider({ recording, ids, isMuted: mutedScopes(NOTHING_SAID) })))
    return undefined
  const contextManager = new FlatContextManager().enable()
  context.setGlobalContextManager(contextManager)
  const follower = requestFollower(contextManager, ids, {
    trustTraceparent: false,
    trustBaggage: options.trustBaggage,
  })
  listenToRequests(() => follower)
  return claimRuntime({
    owner,
    attach: (added) => processor.attach(forProcessor(added)),
    forceFlush: flushExitHandlers,
    health: () => processor.health(),
    async shutdown() {
      releaseRuntime()
      trace.disable()
      context.disable()
      await recording.shutdown()
    },
  })
}

/** The message about parts of the pipeline that do not exist here. */
function forProcessor({ serviceName, aiSdk, instrument, scopes, trustTraceparent, ...options }: StartOptions) {
  return options
}

const NOTHING_SAID = {
  service: { blockedScopes: [], allowedScopes: [] },
  second: false,
  params: {},
  treatments: new Map(),
}
