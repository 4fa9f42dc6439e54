import type { Attributes, BatchObservableCallback, MeterProvider, Observable } from '@opentelemetry/api'
import { apiGlobal } from '@svc/core/api-global'
import { attempt } from '@svc/core/attempt'
import type { DropReason, SvcHealth } from '@svc/core/health'
import { VERSION } from '@svc/core/version'

/** Attributes and names are those of the OpenTelemetry conventions for metrics of SDKs (status: development). */
const component = (type: string, number: number): Attributes => ({
  'otel.component.type': type,
  'otel.component.name': `${type}/${number}`,
})

/** The number of processors created so far: each has its own number. */
let processors = 0

/** Reasons of drops in the exporter, not before it. */
const OF_EXPORTER: readonly DropReason[] = ['rejected', 'too_large', 'max_retry_age']

/**
 * Reports the ledger as metrics of an OpenTelemetry SDK. The meter provider is looked up repeatedly: the application
 * may register one at any time, and the API has no proxy for a later one.
 */
export class SelfMetrics {
  readonly #read: () => SvcHealth
  readonly #processor = component('SvcSpanProcessor', processors)
  readonly #exporter = component('otlp_http_span_exporter', processors)
  #provider: MeterProvider | undefined
  #stop: (() => void) | undefined

  /** @param read read when metrics are collected */
  constructor(read: () => SvcHealth) {
    this.#read = read
    processors += 1
  }

  /** To be called when metrics may have changed. Never throws. */
  look(): void {
    const provider = apiGlobal()?.metrics
    if (provider !== this.#provider) attempt('use a meter provider', () => this.#use(provider))
  }

  #use(provider: MeterProvider | undefined): void {
    this.#stop?.()
    this.#stop = undefined
    this.#provider = provider
    if (!provider) return
    const meter = provider.getMeter('@svc/otel', VERSION)
    const queueSize = meter.createObservableUpDownCounter('otel.sdk.processor.span.queue.size', {
      unit: '{span}',
      description: 'Spans that are being prepared, wait, are under way, or lie in the spool.',
    })
    const processed = meter.createObservableCounter('otel.sdk.processor.span.processed', {
      unit: '{span}',
      description: 'Spans that arrived, and those that were lost, by `error.type`.',
    })
    const exported = meter.createObservableCounter('otel.sdk.exporter.span.exported', {
      unit: '{span}',
      description: 'Spans that arrived, and those that the endpoint did not take, by `error.type`.',
    })
    const observe: BatchObservableCallback = (result) => {
      const { pending, sent, dropped } = this.#read()
      result.observe(queueSize, pending, this.#processor)
      result.observe(processed, sent, this.#processor)
      result.observe(exported, sent, this.#exporter)
      for (const [reason, spans] of Object.entries(dropped) as [DropReason, number][]) {
        const failed = { 'error.type': reason }
        result.observe(processed, spans, { ...this.#processor, ...failed })
        if (OF_EXPORTER.includes(reason)) result.observe(exported, spans, { ...this.#exporter, ...failed })
      }
    }
    const observables: Observable[] = [queueSize, processed, exported]
    meter.addBatchObservableCallback(observe, observables)
    this.#stop = () => meter.removeBatchObservableCallback(observe, observables)
  }
}
