import { attempt } from '@svc/core/attempt'
import { NEXT_SCOPE, SDK_NAME } from '@svc/core/attributes/constants'
import { givenEnvironment } from '@svc/core/environment'
import { toText } from '@svc/core/json'
import { warnOnce } from '@svc/core/log'
import { own, ownFields } from '@svc/core/own'
import { claimRuntime, type SpanWatcher } from '@svc/core/registry'
import { refusingCallers } from '@svc/core/remote-parent'
import { readSettings } from '@svc/core/setting'
import {
  edgeSettings,
  keepIsSet,
  resourceAttributes,
  sdkDisabled,
  serviceName,
  tracingEnabled,
} from '@svc/core/settings'
import type { CallerTrust } from '@svc/core/trust'
import { VERSION } from '@svc/core/version'
import {
  EDGE,
  laterRedaction,
  type MaskFunction,
  type Resource,
  reportSettled,
  SpanFlow,
  type SvcSpanProcessorParams,
} from '@svc/otel/edge'
import type { RegisterSvcOptions } from '../register/options.ts'
import { edgeContextManager } from './edge-context.ts'
import { EdgeTracerProvider } from './edge-tracer.ts'
import { registerGlobally } from './register-globally.ts'
import { w3cPropagator } from './w3c-propagator.ts'

const { allowedScopes, maxQueueBytes } = edgeSettings
const SETTINGS = {
  tracingEnabled,
  sdkDisabled,
  serviceName,
  resourceAttributes,
  allowedScopes,
  maxQueueBytes,
  keep: keepIsSet,
}

/** Bytes that may wait, unless SVC_OTEL_MAX_QUEUE_BYTES says otherwise: an edge runtime has 128 MB for everything. */
const QUEUE_BYTES = 16_777_216

/**
 * Builds and registers the one pipeline of an edge runtime: provider, processor, context, propagation. No hooks, no
 * second destination, no upload of media: an edge runtime has neither modules nor an end.
 *
 * @param trust whose word counts about traces and users. Addresses are nobody's: none is known here
 * @returns whether it runs: not when tracing is switched off or another provider was registered first
 */
export function startOnEdge(given: RegisterSvcOptions & SvcSpanProcessorParams, trust: CallerTrust): boolean {
  const options = ownFields(given)
  const env = givenEnvironment(options.env, warnOnce)
  const settings = readSettings(SETTINGS, { ...options }, env, warnOnce)
  const { allowedScopes } = settings
  if (!settings.tracingEnabled || settings.sdkDisabled) return false
  const { nextSpans = allowedScopes.includes(NEXT_SCOPE) ? 'keep' : 'mute' } = options
  const resource = resourceOf(settings)
  const kept = nextSpans === 'keep' ? [...allowedScopes, NEXT_SCOPE] : allowedScopes
  const bounds = { trustBaggage: trust.trustBaggage ?? false, maxQueueBytes: settings.maxQueueBytes ?? QUEUE_BYTES }
  if (settings.keep) warnOnce('SVC_KEEP does not work in edge functions, so every trace is kept.')
  const flow = new SpanFlow({ ...options, ...bounds, allowedScopes: kept.length > 0 ? kept : undefined }, EDGE)
  // Made now, for it sends with the `fetch` of now: Next replaces it later.
  const { pipeline } = flow
  const masks = new Set([identityOf(options.mask)])
  const watchers = new Set<SpanWatcher>()
  const provider = new EdgeTracerProvider({
    resource,
    isMuted: (scope) => nextSpans === 'mute' && scope === NEXT_SCOPE,
    onStart(span, parent) {
      flow.start(span, parent)
      for (const watcher of watchers) attempt('report a span', () => watcher.started(span))
    },
    onEnd(span) {
      flow.end(span)
      for (const watcher of watchers) attempt('report a span', () => watcher.ended(span))
    },
  })
  // What arrives there is a request.
  const propagator = refusingCallers(w3cPropagator, trust, () => true)
  const manager = edgeContextManager()
  if (!registerGlobally(provider, manager, propagator)) {
    warnOnce('another OpenTelemetry provider was registered first, so svc records nothing on the edge.')
    return false
  }
  if (!manager)
    warnOnce('this edge runtime has no AsyncLocalStorage, so the spans of one request are in several traces.')
  claimRuntime({
    owner: '@svc/next',
    attach(later: RegisterSvcOptions) {
      const mask = own(later, 'mask')
      // A mask that is ignored would let through what it hides.
      if (mask && !masks.has(identityOf(mask))) pipeline.prepend(EDGE.masker(mask))
      masks.add(identityOf(mask))
      flow.change({ redaction: laterRedaction(later) })
      reportSettled({ ...later, mask: undefined, redact: undefined, redactPatterns: undefined }, (name, value) =>
        isSame(Reflect.get(options, name), value),
      )
    },
    forceFlush: () => flow.flush(),
    health: () => pipeline.health(),
    watch: (watcher) => void watchers.add(watcher),
    shutdown: () => flow.flush(),
  })
  return true
}

/**
 * What tells masks apart: their sources. The bundle of each function of an edge runtime has its own copy of
 * `instrumentation.ts`.
 */
function identityOf(mask: MaskFunction | undefined): unknown {
  const source = String(mask)
  // Every bound function has this source.
  return source.includes('[native code]') ? mask : source
}

/** Functions are not compared: the bundle of each function of an edge runtime has its own copy of `instrumentation.ts`. */
const isSame = (before: unknown, value: unknown) => typeof value === typeof before && toText(value) === toText(before)

function resourceOf(settings: {
  serviceName?: string | undefined
  resourceAttributes: Record<string, string>
}): Resource {
  const attributes = {
    'service.name': 'unknown_service',
    'telemetry.sdk.name': SDK_NAME,
    'telemetry.sdk.version': VERSION,
    'telemetry.sdk.language': 'webjs',
    ...settings.resourceAttributes,
    ...(settings.serviceName && { 'service.name': settings.serviceName }),
  }
  const resource: Resource = { attributes, merge: () => resource, getRawAttributes: () => Object.entries(attributes) }
  return resource
}
