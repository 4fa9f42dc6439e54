import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'

/** Asked several times of every span. */
type Names = ReadonlyMap<unknown, string>

export const AI_SDK_PROMPT = 'ai.prompt.messages'

/** Operations of models by their names in the conventions. Vendors' own words for a chat are one operation. */
const OPERATIONS: Names = new Map(
  Object.entries({
    chat: 'chat',
    completion: 'chat',
    text_completion: 'chat',
    generate: 'chat',
    generate_content: 'chat',
    embeddings: 'embeddings',
  }),
)
/** Operations by the service's types of observations, and by OpenInference's kinds. */
const TYPES: Names = new Map(
  Object.entries({ generation: 'chat', embedding: 'embeddings', LLM: 'chat', EMBEDDING: 'embeddings' }),
)
/** Spans of model calls that nothing else tells, by scope and name. */
const NAMED: ReadonlyMap<unknown, Names> = new Map([
  // Google's Agent Development Kit.
  ['gcp.vertex.agent', new Map([['call_llm', 'chat']])],
  // Gemini CLI.
  ['gemini-cli', new Map([['llm_call', 'chat']])],
])

/**
 * Returns what a span asks of a model, whoever recorded it: `chat` or `embeddings`; undefined for other spans.
 *
 * @param scope of the span
 */
export function modelOperation(attributes: Attributes, scope?: string, name?: string): string | undefined {
  const type = attributes[ATTRIBUTE.OBSERVATION_TYPE]
  if (type !== undefined) return TYPES.get(type)
  const operation = attributes[GEN_AI.OPERATION_NAME]
  if (operation !== undefined) return OPERATIONS.get(operation) ?? namedOperation(scope, name)
  const kind = attributes['openinference.span.kind']
  if (kind !== undefined) return TYPES.get(kind)
  const isModel = attributes['genkit:metadata:subtype'] === 'model' || attributes['llm.request.type'] === 'chat'
  return isModel || attributes[AI_SDK_PROMPT] !== undefined ? 'chat' : namedOperation(scope, name)
}

/** Returns the operation of a span that its scope and name alone tell. */
export function namedOperation(scope?: string, name?: string): string | undefined {
  return NAMED.get(scope)?.get(name)
}
