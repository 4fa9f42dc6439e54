import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { readPrompt } from '@svc/tracing/adapters'
import { asRecord } from '../gen-ai/read.ts'
import { metadataAttributes } from '../record/metadata.ts'
import { NO_COST } from '../record/write.ts'

/** Types of spans that call a model. */
const MODEL_SPANS: ReadonlySet<string> = new Set(['languageModel', 'embedding', 'reranking'])

/** Operations whose outermost span has the same name as the model calls below it. */
const NAMED_AS_CALLS = /^ai\.(embed|embedMany|rerank)$/

export interface EnrichedSpan {
  readonly spanType: string
  readonly operationId?: string
  readonly runtimeContext?: unknown
}

/**
 * Returns attributes from the `runtimeContext` of a call: `svcPrompt: { name, version }` links the model's spans to the
 * prompt, unless it is a fallback; every other key is metadata. The outermost span of an embedding is not an embedding, and costs nothing.
 */
export function enrichSpan({ spanType, operationId = '', runtimeContext }: EnrichedSpan): Attributes {
  const { svcPrompt, ...metadata } = asRecord(runtimeContext)
  const attributes: Attributes = MODEL_SPANS.has(spanType) ? readPrompt(svcPrompt, ignore) : {}
  // The service takes a span with a model and without a type for a generation.
  if (spanType === 'reranking') attributes[ATTRIBUTE.OBSERVATION_TYPE] = 'retriever'
  if (spanType === 'operation' && NAMED_AS_CALLS.test(operationId))
    Object.assign(attributes, { [ATTRIBUTE.OBSERVATION_TYPE]: 'span' }, NO_COST)
  return Object.assign(attributes, metadataAttributes(metadata))
}

function ignore(): void {}
