import { type SpanLimits, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { SvcSpanProcessor } from '@svc/otel'
import { HttpRoots } from './http-root.ts'
import { mutedScopes } from './muted-scopes.ts'
import type { Plan } from './plan.ts'
import { PipelineProvider } from './provider.ts'
import { resourceOf } from './resource.ts'
import { samplerOf } from './samplers.ts'
import { standardSpanProcessors } from './second-destination.ts'
import { TraceIds } from './trace-ids.ts'

export interface Pipeline {
  readonly provider: PipelineProvider
  readonly ids: TraceIds
  readonly roots: HttpRoots | undefined
  /** The way to the service; undefined when only a second destination is served. */
  readonly processor: SvcSpanProcessor | undefined
  /** Whether a span was handed to delivery since the last flush. */
  pending(): boolean
  flush(): Promise<void>
  shutdown(): Promise<void>
}

/** What stands between `startSpan` and the wire, assembled and not yet registered. */
export function buildPipeline(plan: Plan): Pipeline {
  const { preload } = plan
  const ids = new TraceIds()
  const roots = preload.httpRoot ? new HttpRoots(ids) : undefined
  let pending = false
  const processor = plan.sends
    ? new SvcSpanProcessor({
        ...plan.params,
        env: plan.env,
        // The exit gate holds the process, with a deadline.
        holdProcess: false,
        onDelivered: (span) => {
          pending = true
          roots?.exported(span)
        },
      })
    : undefined
  const processors: SpanProcessor[] = [
    ...(processor ? [processor] : []),
    ...(plan.second ? standardSpanProcessors() : []),
  ]
  const recording = new TracerProvider({
    resource: resourceOf(preload.resourceAttributes, preload.serviceName),
    sampler: samplerOf(preload.sampler, preload.samplerArgument),
    spanLimits: spanLimitsOf(preload),
    idGenerator: ids,
    spanProcessors: processors,
  })
  roots?.use(recording)
  return {
    provider: new PipelineProvider(recording, ids, mutedScopes(plan)),
    ids,
    roots,
    processor,
    pending: () => pending,
    // Not `recording.forceFlush()`: its timers would keep the process alive for 30 s.
    flush: async () => {
      pending = false
      await Promise.allSettled(processors.map((each) => each.forceFlush()))
    },
    shutdown: () => recording.shutdown(),
  }
}

function spanLimitsOf(preload: Plan['preload']): SpanLimits {
  const limits = {
    attributeCountLimit: preload.spanAttributeCountLimit,
    attributeValueLengthLimit: preload.spanAttributeValueLengthLimit,
    eventCountLimit: preload.spanEventCountLimit,
    linkCountLimit: preload.spanLinkCountLimit,
    attributePerEventCountLimit: preload.eventAttributeCountLimit,
    attributePerLinkCountLimit: preload.linkAttributeCountLimit,
  }
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}
