import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { toMetadataText } from '@svc/core/json'
import { fieldsOf, nameOf, numberOf } from '../calls/read.ts'

/** The spans in which a model is called. */
const MODEL_SPANS: ReadonlySet<string> = new Set(['languageModel', 'embedding', 'reranking'])

export interface EnrichedSpan {
  readonly spanType: string
  readonly runtimeContext?: unknown
}

/**
 * What `runtimeContext` of a call says, as attributes: `svcPrompt: { name, version }` links the model's spans to the
 * prompt, unless it is a fallback; every other key is metadata.
 */
export function enrichSpan({ spanType, runtimeContext }: EnrichedSpan): Attributes {
  const { svcPrompt, ...metadata } = fieldsOf(runtimeContext)
  const attributes: Attributes = MODEL_SPANS.has(spanType) ? promptAttributes(svcPrompt) : {}
  for (const [key, value] of Object.entries(metadata)) {
    const text = toMetadataText(value)
    if (text !== undefined) attributes[`${ATTRIBUTE.OBSERVATION_METADATA}.${key}`] = text
  }
  return attributes
}

function promptAttributes(prompt: unknown): Attributes {
  const { name, version, isFallback } = fieldsOf(prompt)
  const [promptName, promptVersion] = [nameOf(name), numberOf(version)]
  if (isFallback === true || promptName === undefined || promptVersion === undefined) return {}
  return {
    [ATTRIBUTE.OBSERVATION_PROMPT_NAME]: promptName,
    [ATTRIBUTE.OBSERVATION_PROMPT_VERSION]: promptVersion,
  }
}
