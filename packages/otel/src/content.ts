import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'

/** Maps attributes to the part of an observation that the service makes of them. */
export type Field = 'input' | 'output' | 'metadata'

// What the service shows as input or output (contract 5.4), and the other content of model calls, which it shows among
// the metadata: `gen_ai.…` of our own instrumentations, `ai.…` of the AI SDK, and the attributes of OpenInference and
// Traceloop.
const FIELDS: ReadonlyMap<string, Field> = new Map([
  [ATTRIBUTE.OBSERVATION_INPUT, 'input'],
  [ATTRIBUTE.OBSERVATION_OUTPUT, 'output'],
  [ATTRIBUTE.OBSERVATION_METADATA, 'metadata'],
  [ATTRIBUTE.TRACE_INPUT, 'input'],
  [ATTRIBUTE.TRACE_OUTPUT, 'output'],
  [ATTRIBUTE.TRACE_METADATA, 'metadata'],
  [GEN_AI.INPUT_MESSAGES, 'input'],
  [GEN_AI.SYSTEM_INSTRUCTIONS, 'input'],
  [GEN_AI.TOOL_DEFINITIONS, 'input'],
  [GEN_AI.TOOL_CALL_ARGUMENTS, 'input'],
  [GEN_AI.OUTPUT_MESSAGES, 'output'],
  [GEN_AI.TOOL_CALL_RESULT, 'output'],
  ['ai.prompt', 'input'],
  ['ai.prompt.messages', 'input'],
  ['ai.prompt.tools', 'input'],
  ['ai.schema', 'input'],
  ['ai.toolCall.args', 'input'],
  ['ai.value', 'input'],
  ['ai.values', 'input'],
  ['ai.documents', 'input'],
  ['ai.request.text', 'input'],
  ['ai.response.text', 'output'],
  ['ai.response.object', 'output'],
  ['ai.response.reasoning', 'output'],
  ['ai.response.toolCalls', 'output'],
  ['ai.response.providerMetadata', 'output'],
  ['ai.result.text', 'output'],
  ['ai.result.object', 'output'],
  ['ai.toolCall.result', 'output'],
  ['input.value', 'input'],
  ['output.value', 'output'],
  ['traceloop.entity.input', 'input'],
  ['traceloop.entity.output', 'output'],
])

// Messages with one attribute per value. Their roles, names and ids are not content.
const DOTTED: readonly (readonly [prefix: string, field: Field])[] = [
  ['llm.input_messages.', 'input'],
  ['llm.output_messages.', 'output'],
  ['llm.tools.', 'input'],
  ['llm.request.functions.', 'input'],
  ['embedding.embeddings.', 'input'],
  ['retrieval.documents.', 'output'],
  [GEN_AI.PROMPT_PREFIX, 'input'],
  [GEN_AI.COMPLETION_PREFIX, 'output'],
]
const DOTTED_CONTENT = /(?:content|text|arguments|parameters|schema|url)$/

/** The results of {@link fieldOf}: spans have the same few attributes, and several are looked up for each of them. */
const known = new Map<string, Field | undefined>()
/** Most names in the cache. An application that generates names has the others looked up each time. */
const NAMES_KNOWN = 1_000

/** Returns where the service shows the attribute; undefined if it is neither input, output nor metadata. */
export function fieldOf(key: string): Field | undefined {
  const field = known.get(key)
  if (field !== undefined || known.has(key)) return field
  const found = findField(key)
  if (known.size < NAMES_KNOWN) known.set(key, found)
  return found
}

function findField(key: string): Field | undefined {
  const exact = FIELDS.get(key)
  if (exact) return exact
  if (isBelow(key, ATTRIBUTE.OBSERVATION_METADATA) || isBelow(key, ATTRIBUTE.TRACE_METADATA)) return 'metadata'
  for (const [prefix, field] of DOTTED) if (key.startsWith(prefix)) return DOTTED_CONTENT.test(key) ? field : undefined
  return undefined
}

/**
 * Whether metadata was propagated to the span rather than written on it; such metadata is not masked (contract 1.7).
 */
export function isPropagatedMetadata(key: string): boolean {
  return key === ATTRIBUTE.TRACE_METADATA || isBelow(key, ATTRIBUTE.TRACE_METADATA)
}

function isBelow(key: string, parent: string): boolean {
  return key.length > parent.length && key.startsWith(parent) && key[parent.length] === '.'
}
