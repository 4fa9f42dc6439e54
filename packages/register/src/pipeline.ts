import { type SpanLimits, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { warnOnce } from '@svc/core/log'
import { ownFields } from '@svc/core/own'
import { readSettings } from '@svc/core/setting'
import { exportSettings, preloadSettings } from '@svc/core/settings'
import type { CallerTrust } from '@svc/core/trust'
import { enableAiSdk } from '@svc/instrumentation/ai-sdk/adoption'
import { genAiConventions, SvcSpanProcessor } from '@svc/otel'
import { laterRedaction, type RedactionOptions } from '@svc/otel/redaction'
import { duplicateTestOf } from './duplicates.ts'
import type { HostProvider, OurPipeline } from './host-provider.ts'
import { HttpRoots } from './http-root/http-roots.ts'
import { leanTracers } from './lean/lean-tracer.ts'
import { countCalls } from './metrics.ts'
import { isKept, mutedScopes } from './muted-scopes.ts'
import { outside } from './outside.ts'
import type { Plan } from './plan.ts'
import { PipelineProvider } from './provider.ts'
import type { RequestSettings } from './request-context.ts'
import { resourceOf } from './resource.ts'
import { samplerOf } from './samplers.ts'
import { standardSpanProcessors } from './second-destination.ts'
import type { StartOptions } from './start-options.ts'
import { TraceIds } from './trace-ids.ts'
import { keptScopes } from './treatment.ts'
import { watch } from './watchers.ts'

export interface RegisteredPipeline {
  readonly provider: PipelineProvider
  /** What the application's own provider has to know. */
  readonly ours: OurPipeline
  readonly ids: TraceIds
  readonly roots: HttpRoots | undefined
  /** `attach` may change them. */
  readonly requestSettings: RequestSettings
  /** The processor for the service; undefined with a second destination only. */
  readonly processor: SvcSpanProcessor | undefined
  /** Takes further options while it runs. */
  attach(options: Omit<StartOptions, 'owner'>): void
  /** The second destination. Its processors are OpenTelemetry's, which do not count spans. */
  readonly second: SecondDestination | undefined
  onFirstSpan(callback: () => void): void
  /** Flushes and stops all of it. */
  shutdown(): Promise<void>
}

/** Builds everything between `startSpan` and the network, without registering it. */
export function buildPipeline(plan: Plan, host?: HostProvider): RegisteredPipeline {
  const { preload } = plan
  const { trustTraceparent } = preload
  const { trustBaggage } = plan.service
  const requestSettings = { trustTraceparent, trustBaggage, requestValues: plan.requestValues }
  const attachTrust = trustAttacher(requestSettings, plan.params)
  const ids = new TraceIds()
  const roots = preload.httpRoot ? new HttpRoots(ids, preload.httpRoot, (scope) => isKept(scope, plan)) : undefined
  let ignoreSpans: (() => void) | undefined
  // The processor for the service has its own.
  const masks = plan.params.mask ? [plan.params.mask] : []
  const redactions: RedactionOptions[] = [{ redact: plan.service.redact, redactPatterns: plan.params.redactPatterns }]
  const resource = resourceOf(preload.resourceAttributes, preload.serviceName)
  // Calls are counted before anything is left out.
  const counting = plan.metrics && countCalls(plan, resource)
  const seconds = plan.second
    ? standardSpanProcessors().map((each) => genAiConventions(each, masks, redactions, plan.latest))
    : []
  const flushed = counting ? [counting, ...seconds] : seconds
  const activity = flushed.length > 0 ? new Activity() : undefined
  const processor = plan.sends
    ? new SvcSpanProcessor({
        ...plan.params,
        trustBaggage: trustBaggage ?? false,
        env: plan.env,
        onDelivered: roots?.exported,
        // With a second destination every span is the SDK's, which ends outside: see `shielded`.
        ...(plan.second ? {} : { outside }),
      })
    : undefined
  const processors: SpanProcessor[] = [activity, counting, processor, ...seconds].filter((each) => each !== undefined)
  const sampler = samplerOf(preload.sampler, preload.samplerArgument, counting !== undefined)
  const samplesByDefault = preload.sampler === 'parentbased_always_on'
  const limits = spanLimitsOf(preload)
  const recording = new TracerProvider({
    resource,
    sampler,
    spanLimits: limits,
    idGenerator: ids,
    spanProcessors: processors,
  })
  const provider = new PipelineProvider({
    recording,
    ids,
    isMuted: mutedScopes(plan),
    resource,
    duplicateTestOf: (scope) => duplicateTestOf(scope),
    host,
    // A second destination may have processors that want to know the SDK's own spans.
    ...(plan.second ? {} : { leanOf: leanTracers({ resource, sampler, samplesByDefault, limits, ids, processors }) }),
  })
  roots?.use({ getTracer: (...scope) => provider.getOwnTracer(...scope) })
  return {
    provider,
    ours: {
      processor,
      resource,
      // Nothing is lost where the application has them.
      duplicateTestOf: (scope) => duplicateTestOf(scope, () => {}),
      getTracer: provider.getTracer.bind(provider),
    },
    ids,
    roots,
    processor,
    requestSettings,
    attach: (attached) => {
      const { instrument: _, serviceName, scopes = {}, aiSdk, trustTraceparent: __, ...more } = ownFields(attached)
      const { requestValues = requestSettings.requestValues, ...options } = ownFields(more)
      requestSettings.requestValues = requestValues
      attachTrust(ownFields(attached))
      if (options.mask) masks.unshift(options.mask)
      redactions.push(laterRedaction(options))
      if (aiSdk !== undefined) enableAiSdk(aiSdk)
      // Read when a batch is written, so it is the name of what is sent from now on.
      if (serviceName !== undefined) resource.attributes['service.name'] = serviceName
      for (const [scope, treatment] of Object.entries(scopes)) plan.treatments.set(scope, treatment)
      provider.reconsider()
      const allowedScopes = keptScopes(scopes)
      processor?.attach({
        ...options,
        trustBaggage: requestSettings.trustBaggage ?? false,
        ...(allowedScopes.length > 0 ? { allowedScopes } : {}),
      })
    },
    second: activity && secondDestination(flushed, activity),
    onFirstSpan: (callback) => {
      const started = () => {
        ignoreSpans?.()
        callback()
      }
      ignoreSpans = watch({ started, ended: () => {} })
    },
    shutdown: () => {
      ignoreSpans?.()
      return recording.shutdown()
    },
  }
}

const TRUST = { trustTraceparent: preloadSettings.trustTraceparent, trustBaggage: exportSettings.trustBaggage }

/**
 * Returns what takes further options about callers: they win over variables. Whom one option refuses altogether stays
 * refused for the whole process.
 */
function trustAttacher(settings: { -readonly [K in keyof CallerTrust]: CallerTrust[K] }, first: Partial<CallerTrust>) {
  const isRefused = { trustTraceparent: first.trustTraceparent === false, trustBaggage: first.trustBaggage === false }
  return (added: Partial<CallerTrust>) => {
    const read = readSettings(TRUST, added, () => undefined, warnOnce)
    for (const name of ['trustTraceparent', 'trustBaggage'] as const) {
      if (read[name] === undefined || isRefused[name]) continue
      settings[name] = read[name]
      isRefused[name] = read[name] === false
    }
  }
}

export interface SecondDestination {
  /** Whether a span ended since the last flush. */
  readonly pending: boolean
  flush(): Promise<void>
}

function secondDestination(processors: readonly SpanProcessor[], activity: Activity): SecondDestination {
  return {
    get pending() {
      return activity.pending
    },
    async flush() {
      activity.pending = false
      await Promise.allSettled(processors.map((each) => each.forceFlush()))
    },
  }
}

/** Notices ended spans, for the second destination. */
class Activity implements SpanProcessor {
  pending = false

  onStart(): void {}

  onEnd(): void {
    this.pending = true
  }

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}
}

/** Defaults of the OpenTelemetry specification (Span Limits). */
function spanLimitsOf(preload: Plan['preload']): Required<SpanLimits> {
  return {
    attributeCountLimit: preload.spanAttributeCountLimit ?? 128,
    attributeValueLengthLimit: preload.spanAttributeValueLengthLimit ?? Number.POSITIVE_INFINITY,
    eventCountLimit: preload.spanEventCountLimit ?? 128,
    linkCountLimit: preload.spanLinkCountLimit ?? 128,
    attributePerEventCountLimit: preload.eventAttributeCountLimit ?? 128,
    attributePerLinkCountLimit: preload.linkAttributeCountLimit ?? 128,
  }
}
