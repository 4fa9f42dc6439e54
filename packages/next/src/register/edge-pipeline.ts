import { context, propagation, trace } from '@opentelemetry/api'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { type Span, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { attempt } from '@svc/core/attempt'
import { NEXT_SCOPE } from '@svc/core/attributes'
import { hostEnvironment } from '@svc/core/environment'
import { warnOnce } from '@svc/core/log'
import { claimRuntime, type SpanWatcher } from '@svc/core/registry'
import { refusingParents } from '@svc/core/remote-parent'
import { readSettings } from '@svc/core/setting'
import { exportSettings, preloadSettings } from '@svc/core/settings'
import { SvcSpanProcessor, type SvcSpanProcessorParams } from '@svc/otel'
import { EdgeContextManager } from './edge-context.ts'
import { MutingProvider } from './edge-provider.ts'
import type { RegisterSvcOptions } from './options.ts'

/**
 * Builds and registers the one pipeline of an edge runtime: provider, processor, context, propagation. No hooks, no exit
 * gate, no second destination: an edge runtime has neither modules nor an end.
 *
 * @returns whether it runs: not when tracing is switched off or another provider was registered first
 */
export function startOnEdge(
  params: SvcSpanProcessorParams,
  {
    serviceName,
    nextSpans,
    trustTraceparent,
  }: Pick<RegisterSvcOptions, 'serviceName' | 'nextSpans' | 'trustTraceparent'>,
): boolean {
  const { tracingEnabled, sdkDisabled, ...service } = readSettings(
    preloadSettings,
    { serviceName },
    hostEnvironment,
    warnOnce,
  )
  if (!tracingEnabled || sdkDisabled) return false
  const { allowedScopes } = readSettings(exportSettings, { ...params }, hostEnvironment, () => {})
  const keep = nextSpans === undefined ? allowedScopes.includes(NEXT_SCOPE) : nextSpans === 'keep'
  const processor = new SvcSpanProcessor({
    ...params,
    ...(keep ? { allowedScopes: [...allowedScopes, NEXT_SCOPE] } : {}),
  })
  const name = service.serviceName === undefined ? {} : { 'service.name': service.serviceName }
  const watching = new Watching()
  const recording = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ ...service.resourceAttributes, ...name })),
    spanProcessors: [processor, watching],
  })
  const mutes = !keep && nextSpans !== 'drop'
  const provider = new MutingProvider(recording, (scope) => mutes && scope === NEXT_SCOPE)
  if (!trace.setGlobalTracerProvider(provider)) {
    warnOnce('another OpenTelemetry provider was registered first, so svc records nothing on the edge.')
    return false
  }
  const manager = EdgeContextManager.make()
  if (manager) context.setGlobalContextManager(manager)
  const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()]
  const all = new CompositePropagator({ propagators })
  // Whatever arrives there is a request.
  propagation.setGlobalPropagator(
    refusingParents(
      all,
      () => trustTraceparent === true,
      () => true,
    ),
  )
  claimRuntime({
    owner: '@svc/next',
    attach: (options) => processor.attach(options),
    forceFlush: () => processor.forceFlush(),
    health: () => processor.health(),
    watch: (watcher) => void watching.watchers.add(watcher),
    shutdown: () => processor.shutdown(),
  })
  return true
}

/** Tells of each span. */
class Watching implements SpanProcessor {
  readonly watchers = new Set<SpanWatcher>()

  onStart(span: Span): void {
    for (const watcher of this.watchers) attempt('tell of a span', () => watcher.started(span))
  }

  onEnd(span: Pick<Span, 'spanContext'>): void {
    for (const watcher of this.watchers) attempt('tell of a span', () => watcher.ended(span))
  }

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}
}
