import type { MeterProvider } from '@opentelemetry/api'
import { apiGlobal } from '@svc/core/api-global'
import { attempt } from '@svc/core/attempt'
import { CHUNK_TIMES } from '@svc/core/attributes/metrics'
import { chunkTimesOf, keepChunkTimes } from '@svc/core/chunk-times'
import { warnOnce } from '@svc/core/log'
import { scopeFilter, scopeOf } from '../filter.ts'
import { modelOperation, namedOperation } from '../model-operation.ts'
import { inCurrentShape } from '../older-span.ts'
import { SameCalls } from '../same-call.ts'
import { matchesScope } from '../scopes.ts'
import type { ReadableSpan, Span, SpanProcessor } from '../sdk.ts'
import { SpanTree } from '../span-tree.ts'
import { withAttributes } from '../span-view.ts'
import { BoundedValues } from './bounded.ts'
import { Instruments } from './instruments.ts'
import { measured } from './measured.ts'

export interface GenAiMetricsOptions {
  /** Returns where to count, asked with each call. Default: the meter provider of OpenTelemetry's API. */
  readonly meterProvider?: (() => MeterProvider | undefined) | undefined
  /** Names of the conventions since their last release (`gen_ai_latest_experimental`). Default false. */
  readonly latest?: boolean | undefined
  /** Scopes that are counted in addition to the LLM scopes, as for the export. Default: none. */
  readonly allowedScopes?: readonly string[] | undefined
  /** Scopes that are not counted, as for the export. Default: none. */
  readonly blockedScopes?: readonly string[] | undefined
}

/**
 * Counts calls of models, agents, tools and MCP as metrics of OpenTelemetry's GenAI conventions, from all spans about them:
 * also those that are not sampled or not exported. With `@svc/register`, `SVC_GENAI_METRICS=true` does the same. Never
 * throws.
 *
 * @example
 * const provider = new TracerProvider({ spanProcessors: [new GenAiMetrics(), new SvcSpanProcessor()] })
 */
export class GenAiMetrics implements SpanProcessor {
  readonly #find: () => MeterProvider | undefined
  readonly #isLatest: boolean
  readonly #wanted: (span: ReadableSpan) => boolean
  readonly #values = new BoundedValues()
  readonly #tree = new SpanTree()
  readonly #calls = new SameCalls((call) => void attempt('count a call', () => this.#record(call)))
  #instruments: Instruments | undefined

  constructor(options: GenAiMetricsOptions = {}) {
    const { meterProvider = () => apiGlobal()?.metrics, latest = false } = options
    const { allowedScopes = [], blockedScopes = [] } = options
    const isKept = scopeFilter(allowedScopes)
    this.#find = meterProvider
    this.#isLatest = latest
    this.#wanted = (span) => {
      const scope = scopeOf(span)
      if (matchesScope(scope, blockedScopes)) return false
      return isKept({ otelSpan: span }) || namedOperation(scope, span.name) !== undefined
    }
    keepChunkTimes()
  }

  onStart(started: Span): void {
    attempt('follow a span', () => {
      const span = inCurrentShape(started)
      const isWanted = this.#wanted(span)
      this.#tree.start(span, isWanted)
      if (isWanted) this.#calls.group(span, this.#tree.above(span, this.#wanted))
    })
  }

  onEnd(ended: ReadableSpan): void {
    attempt('count a call', () => this.#end(inCurrentShape(ended)))
  }

  /** Counts the calls that wait for the end of those around them. */
  async forceFlush(): Promise<void> {
    this.#calls.settle()
  }

  async shutdown(): Promise<void> {
    this.#calls.settle()
  }

  /** Of two spans about one call one is counted, as one is exported. */
  #end(span: ReadableSpan): void {
    const isWanted = this.#wanted(span)
    const whole = isWanted ? this.#calls.ended(withChunkTimes(span)) : span
    if (isWanted) this.#calls.group(whole, this.#tree.above(span, this.#wanted))
    const waits = isWanted && this.#calls.wait(whole, () => this.#tree.around(span, this.#wanted))
    this.#tree.end(span, isWanted && !waits, this.#wanted)
    if (isWanted && !waits) this.#record(whole)
  }

  #record(span: ReadableSpan): void {
    const points = measured(span)
    if (points.length === 0) return
    const provider = this.#find()
    if (!provider) {
      warnOnce(NOWHERE)
      return
    }
    if (this.#instruments?.provider !== provider) this.#instruments = new Instruments(provider, this.#isLatest)
    for (const [measure, value, attributes] of points)
      this.#instruments.record([measure, value, this.#values.of(attributes)])
  }
}

/** The times lie beside the span of the client, which may become one with that of a framework. */
function withChunkTimes(span: ReadableSpan): ReadableSpan {
  const times = modelOperation(span.attributes) && chunkTimesOf(span.spanContext())
  return times ? withAttributes(span, { ...span.attributes, [CHUNK_TIMES]: [...times] }) : span
}

const NOWHERE =
  'GenAI metrics are not counted: there is no meter provider. Set OTEL_METRICS_EXPORTER=otlp or prometheus, or register one.'
