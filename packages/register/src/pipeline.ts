import { type ReadableSpan, type SpanLimits, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { type SpanStarted, spanStarted } from '@svc/core/span-events'
import { enableAiSdk } from '@svc/instrumentation/ai-sdk/adoption'
import { genAiConventions, SvcSpanProcessor } from '@svc/otel'
import { HttpRoots } from './http-root/http-roots.ts'
import { leanTracers } from './lean/lean-tracer.ts'
import { isKept, keptScopes, mutedScopes } from './muted-scopes.ts'
import type { Plan } from './plan.ts'
import { PipelineProvider } from './provider.ts'
import type { RequestValues } from './request-values.ts'
import { resourceOf } from './resource.ts'
import { samplerOf } from './samplers.ts'
import { standardSpanProcessors } from './second-destination.ts'
import type { StartOptions } from './start-options.ts'
import { TraceIds } from './trace-ids.ts'
import { yieldingOf } from './yielding.ts'

export interface Pipeline {
  readonly provider: PipelineProvider
  readonly ids: TraceIds
  readonly roots: HttpRoots | undefined
  /** Whether the trace that `traceparent` of a request names is continued. May be taken back while it runs. */
  trustsTraceparent(): boolean
  /** What the spans of a request get beside what code propagates. May be said while it runs. */
  readonly requestValues: RequestValues
  /** The way to the service; undefined when only a second destination is served. */
  readonly processor: SvcSpanProcessor | undefined
  /** Takes further options while it runs. */
  attach(options: Omit<StartOptions, 'owner'>): void
  /** The way to a second destination, whose parts are not ours: none of them keeps count. */
  readonly second: SecondDestination | undefined
  /** To be told when the first span starts. */
  onFirstSpan(told: () => void): void
  /** Flushes and stops all of it. */
  shutdown(): Promise<void>
}

/** What stands between `startSpan` and the wire, assembled and not yet registered. */
export function buildPipeline(plan: Plan): Pipeline {
  const { preload } = plan
  let { trustTraceparent } = preload
  let { requestValues } = plan
  const ids = new TraceIds()
  const roots = preload.httpRoot ? new HttpRoots(ids, preload.httpRoot, (scope) => isKept(scope, plan)) : undefined
  const activity = new Activity()
  const seconds = plan.second ? standardSpanProcessors().map(genAiConventions) : []
  const processor = plan.sends
    ? new SvcSpanProcessor({
        ...plan.params,
        env: plan.env,
        onDelivered: (span) => roots?.exported(span),
      })
    : undefined
  const processors: SpanProcessor[] = [activity, ...(processor ? [processor] : []), ...seconds]
  const resource = resourceOf(preload.resourceAttributes, preload.serviceName)
  const sampler = samplerOf(preload.sampler, preload.samplerArgument)
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
    yieldingOf,
    // A second destination may have processors that want to know the SDK's own spans.
    ...(plan.second ? {} : { leanOf: leanTracers({ resource, sampler, limits, ids, processors }) }),
  })
  roots?.use(provider)
  return {
    provider,
    ids,
    roots,
    processor,
    trustsTraceparent: () => trustTraceparent,
    requestValues: (request) => requestValues?.(request),
    attach: (attached) => {
      const { instrument: _, serviceName, scopes = {}, aiSdk, trustTraceparent: trusts, ...more } = attached
      const { requestValues: valuesOf = requestValues, ...options } = more
      requestValues = valuesOf
      // Who refuses speaks for the whole process.
      if (trusts === false) trustTraceparent = false
      if (aiSdk !== undefined) enableAiSdk(aiSdk)
      // Read when a batch is written, so it is the name of what is sent from now on.
      if (serviceName !== undefined) resource.attributes['service.name'] = serviceName
      for (const [scope, treatment] of Object.entries(scopes)) plan.treatments.set(scope, treatment)
      provider.reconsider()
      const allowedScopes = keptScopes(scopes)
      processor?.attach({ ...options, ...(allowedScopes.length > 0 ? { allowedScopes } : {}) })
    },
    second: plan.second ? secondDestination(seconds, activity) : undefined,
    onFirstSpan: (told) => {
      activity.onFirstSpan = told
    },
    shutdown: () => recording.shutdown(),
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

/** Notices that there is something to deliver, whoever it is for. */
class Activity implements SpanProcessor {
  pending = false
  onFirstSpan: (() => void) | undefined

  onStart({ instrumentationScope }: ReadableSpan): void {
    if (spanStarted?.hasSubscribers) spanStarted.publish({ scope: instrumentationScope.name } satisfies SpanStarted)
    this.onFirstSpan?.()
    this.onFirstSpan = undefined
  }

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
