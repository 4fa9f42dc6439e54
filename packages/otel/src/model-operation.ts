import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { own } from '@svc/core/own'

export const AI_SDK_PROMPT = 'ai.prompt.messages'

/** Operations of models by their names in the conventions. Vendors' own words for a chat are one operation. */
const OPERATIONS: Readonly<Record<string, string>> = {
  chat: 'chat',
  completion: 'chat',
  text_completion: 'chat',
  generate: 'chat',
  generate_content: 'chat',
  embeddings: 'embeddings',
}
/** Operations by the service's types of observations, and by OpenInference's kinds. */
const TYPES: Readonly<Record<string, string>> = {
  generation: 'chat',
  embedding: 'embeddings',
  LLM: 'chat',
  EMBEDDING: 'embeddings',
}
/** Spans of model calls of which nothing else tells it before they end, by scope and name. */
const NAMED: Readonly<Record<string, string>> = {
  // Google's Agent Development Kit.
  'gcp.vertex.agent call_llm': 'chat',
  // Gemini CLI.
  'gemini-cli llm_call': 'chat',
}

/**
 * Returns what a span asks of a model, whoever recorded it: `chat` or `embeddings`; undefined for other spans.
 *
 * @param scope of the span
 */
export function modelOperation(attributes: Attributes, scope?: string, name?: string): string | undefined {
  const type = attributes[ATTRIBUTE.OBSERVATION_TYPE]
  if (type !== undefined) return own(TYPES, String(type))
  const operation = attributes[GEN_AI.OPERATION_NAME]
  if (operation !== undefined) return own(OPERATIONS, String(operation))
  const kind = attributes['openinference.span.kind']
  if (kind !== undefined) return own(TYPES, String(kind))
  const isModel = attributes['genkit:metadata:subtype'] === 'model' || attributes['llm.request.type'] === 'chat'
  return isModel || attributes[AI_SDK_PROMPT] !== undefined ? 'chat' : namedOperation(scope, name)
}

/** Returns the operation of a span that its scope and name alone tell. */
export function namedOperation(scope?: string, name?: string): string | undefined {
  return own(NAMED, `${scope} ${name}`)
}
