import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as GENERAL from '@svc/core/attributes/general'
import * as ATTRIBUTE from '@svc/core/attributes/service'

/** Maps attributes to the part of an observation that the service makes of them. */
export type ContentField = 'input' | 'output' | 'metadata'

const AI_SDK_METADATA = 'ai.telemetry.metadata'
/** Users, sessions and the like are no metadata, although the AI SDK has no other place for them. */
const NO_METADATA = /\.(?:userId|sessionId|tags|svcPrompt)$/

// What the service shows as input or output (contract 5.4), whoever wrote it, and the other content of model calls, which
// it shows among the metadata: `gen_ai.…` of our own instrumentations, `ai.…` of the AI SDK, and the attributes of
// OpenInference and Traceloop.
const NAMES: Readonly<Record<ContentField, readonly string[]>> = {
  input: [
    ATTRIBUTE.OBSERVATION_INPUT,
    ATTRIBUTE.TRACE_INPUT,
    GEN_AI.INPUT_MESSAGES,
    GEN_AI.SYSTEM_INSTRUCTIONS,
    GEN_AI.TOOL_DEFINITIONS,
    GEN_AI.TOOL_CALL_ARGUMENTS,
    'ai.prompt',
    'ai.prompt.messages',
    'ai.prompt.tools',
    'ai.schema',
    'ai.toolCall.args',
    'ai.value',
    'ai.values',
    'ai.documents',
    'ai.request.text',
    'input.value',
    'traceloop.entity.input',
    GEN_AI.RETRIEVAL_QUERY_TEXT,
    GEN_AI.PROMPT,
    'genkit:input',
    'gcp.vertex.agent.llm_request',
    'gcp.vertex.agent.tool_call_args',
    'prompt',
    'lk.input_text',
    'lk.user_transcript',
    'lk.chat_ctx',
    'events',
    'mlflow.spanInputs',
    'input',
    'pydantic_ai.all_messages',
    'tool_arguments',
  ],
  output: [
    ATTRIBUTE.OBSERVATION_OUTPUT,
    ATTRIBUTE.TRACE_OUTPUT,
    GEN_AI.OUTPUT_MESSAGES,
    GEN_AI.TOOL_CALL_RESULT,
    'ai.response.text',
    'ai.response.object',
    'ai.response.reasoning',
    'ai.response.toolCalls',
    'ai.response.providerMetadata',
    'ai.result.text',
    'ai.result.object',
    'ai.toolCall.result',
    'output.value',
    'traceloop.entity.output',
    GEN_AI.RETRIEVAL_DOCUMENTS,
    GEN_AI.COMPLETION,
    'ai.result.toolCalls',
    'genkit:output',
    'gcp.vertex.agent.llm_response',
    'gcp.vertex.agent.tool_response',
    'all_messages_events',
    'lk.function_tool.output',
    'lk.response.text',
    'mlflow.spanOutputs',
    'output',
    'final_result',
    'tool_response',
  ],
  metadata: [ATTRIBUTE.OBSERVATION_METADATA, ATTRIBUTE.TRACE_METADATA, GENERAL.FOREIGN_METADATA],
}

// Messages with one attribute per value: the prefixes of their names. Their roles, names and ids are not content.
const PREFIXES: readonly (readonly [field: ContentField, names: readonly string[]])[] = [
  [
    'input',
    [
      'llm.input_messages.',
      'llm.tools.',
      'llm.request.functions.',
      'embedding.embeddings.',
      'flue.',
      GEN_AI.PROMPT_PREFIX,
    ],
  ],
  ['output', ['llm.output_messages.', 'retrieval.documents.', GEN_AI.COMPLETION_PREFIX]],
]
const FIELDS = ['input', 'output', 'metadata'] as const
const DOTTED_CONTENT = /(?:content|text|arguments|parameters|schema|url|input|result)$/

/** The results of {@link fieldOf}: spans have the same few attributes, and several are looked up for each of them. */
const known = new Map<string, ContentField | undefined>()
/** Most names in the cache. An application that generates names has the others looked up each time. */
const NAMES_KNOWN = 1_000

/** Returns where the service shows the attribute; undefined if it is neither input, output nor metadata. */
export function fieldOf(key: string): ContentField | undefined {
  const field = known.get(key)
  if (field !== undefined || known.has(key)) return field
  const found = findField(key)
  if (known.size < NAMES_KNOWN) known.set(key, found)
  return found
}

function findField(key: string): ContentField | undefined {
  for (const field of FIELDS) if (NAMES[field].includes(key)) return field
  if (NAMES.metadata.some((name) => isBelow(key, name))) return 'metadata'
  if (isBelow(key, AI_SDK_METADATA) && !NO_METADATA.test(key)) return 'metadata'
  const [field] = PREFIXES.find(([, names]) => names.some((name) => key.startsWith(name))) ?? []
  return DOTTED_CONTENT.test(key) ? field : undefined
}

/**
 * Whether metadata was propagated to the span rather than written on it; such metadata is not masked (contract 1.7).
 */
export function isPropagatedMetadata(key: string): boolean {
  return key === ATTRIBUTE.TRACE_METADATA || isBelow(key, ATTRIBUTE.TRACE_METADATA)
}

/** Events that hold one message each, in older conventions. */
const MESSAGE_EVENTS = /^gen_ai\.(?:(?:system|user|assistant|tool)\.message|choice)$/
/** What they say about it. */
const ABOUT_MESSAGE = /^(?:role|id|name|index|finish_reason|gen_ai\.(?:system|provider\.name))$/

/** Whether an attribute of an event is content, which the service shows as input or output (contract 5.4). */
export function isContentOfEvent(event: string, key: string): boolean {
  return MESSAGE_EVENTS.test(event) ? !ABOUT_MESSAGE.test(key) : fieldOf(key) !== undefined
}

function isBelow(key: string, parent: string): boolean {
  return key.length > parent.length && key.startsWith(parent) && key[parent.length] === '.'
}
