import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { toMetadataText } from '@svc/core/json'
import { asName, asNumber, asRecord } from '../gen-ai/read.ts'

/** The spans in which a model is called. */
const MODEL_SPANS: ReadonlySet<string> = new Set(['languageModel', 'embedding', 'reranking'])

/** Operations whose outermost span is named as the calls of the model are that lie below it. */
const NAMED_AS_CALLS = /^ai\.(embed|embedMany|rerank)$/

export interface EnrichedSpan {
  readonly spanType: string
  readonly operationId?: string
  readonly runtimeContext?: unknown
}

/**
 * What `runtimeContext` of a call says, as attributes: `svcPrompt: { name, version }` links the model's spans to the
 * prompt, unless it is a fallback; every other key is metadata. A call is one embedding, not one inside another.
 */
export function enrichSpan({ spanType, operationId = '', runtimeContext }: EnrichedSpan): Attributes {
  const { svcPrompt, ...metadata } = asRecord(runtimeContext)
  const attributes: Attributes = MODEL_SPANS.has(spanType) ? promptAttributes(svcPrompt) : {}
  // With a model and without a type it would be a generation.
  if (spanType === 'reranking') attributes[ATTRIBUTE.OBSERVATION_TYPE] = 'retriever'
  if (spanType === 'operation' && NAMED_AS_CALLS.test(operationId)) attributes[ATTRIBUTE.OBSERVATION_TYPE] = 'span'
  for (const [key, value] of Object.entries(metadata)) {
    const text = toMetadataText(value)
    if (text !== undefined) attributes[`${ATTRIBUTE.OBSERVATION_METADATA}.${key}`] = text
  }
  return attributes
}

function promptAttributes(prompt: unknown): Attributes {
  const { name, version, isFallback } = asRecord(prompt)
  const [promptName, promptVersion] = [asName(name), asNumber(version)]
  if (isFallback === true || promptName === undefined || promptVersion === undefined) return {}
  return {
    [ATTRIBUTE.OBSERVATION_PROMPT_NAME]: promptName,
    [ATTRIBUTE.OBSERVATION_PROMPT_VERSION]: promptVersion,
  }
}
