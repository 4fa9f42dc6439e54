import { type Context, type Histogram, type MeterProvider, metrics } from '@opentelemetry/api'
import { GEN_AI, GENERAL } from '@svc/core/attributes'
import { providerName } from '@svc/core/provider-name'
import { countsCalls } from '../gen-ai/configure.ts'
import { asNumber } from '../gen-ai/read.ts'
import { attributesOf } from './attribute-values.ts'
import { SCOPE } from './scope.ts'

const OPTIONS = {
  description: 'GenAI client inference operation duration.',
  unit: 's',
  // 10 ms and its doubles, up to 82 s: as the conventions recommend.
  advice: { explicitBucketBoundaries: Array.from({ length: 14 }, (_, power) => (10 * 2 ** power) / 1_000) },
}

let known: { readonly provider: MeterProvider; readonly histogram: Histogram } | undefined

/** Created again when another meter provider is registered. */
function histogram(): Histogram {
  const provider = metrics.getMeterProvider()
  if (known?.provider !== provider) {
    known = { provider, histogram: provider.getMeter(SCOPE).createHistogram(GEN_AI.CLIENT_INFERENCE_DURATION, OPTIONS) }
  }
  return known.histogram
}

/** The end of a request to a model, from its event. */
export interface InferenceEnd {
  readonly responseTimeMs?: unknown
  readonly provider?: unknown
  readonly responseModel?: unknown
  readonly errorType?: string | undefined
  /** Milliseconds since the epoch, of an event that is reported after the fact. */
  readonly timestamp?: unknown
}

/** One request to a model, recorded by the metric `gen_ai.client.inference.duration`. */
export class Inference {
  readonly #provider: unknown
  readonly #model: unknown
  readonly #startedAt: unknown
  readonly #createdAt = performance.now()

  /** @param startedAt milliseconds since the epoch, of an event that is reported after the fact */
  constructor(provider: unknown, model: unknown, startedAt: unknown) {
    this.#provider = provider
    this.#model = model
    this.#startedAt = startedAt
  }

  record({ responseTimeMs, provider, responseModel, errorType, timestamp }: InferenceEnd, context: Context): void {
    if (countsCalls()) return
    const attributes = {
      [GEN_AI.OPERATION_NAME]: 'chat',
      [GEN_AI.PROVIDER_NAME]: providerName(provider ?? this.#provider),
      [GEN_AI.REQUEST_MODEL]: this.#model,
      [GEN_AI.RESPONSE_MODEL]: responseModel,
      [GENERAL.ERROR_TYPE]: errorType,
    }
    const duration = asNumber(responseTimeMs) ?? this.#durationUntil(timestamp)
    histogram().record(duration / 1_000, attributesOf(attributes), context)
  }

  #durationUntil(timestamp: unknown): number {
    const [from, to] = [asNumber(this.#startedAt), asNumber(timestamp)]
    return from === undefined || to === undefined ? performance.now() - this.#createdAt : Math.max(0, to - from)
  }
}
