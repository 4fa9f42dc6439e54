import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { own } from '@svc/core/own'

const AI_SDK_PROMPT = 'ai.prompt.messages'
/** The attributes of input and output of a model call: ours, OpenTelemetry's, the AI SDK's, OpenInference's. */
const CONTENT: readonly (readonly [input: string, output: string])[] = [
  [ATTRIBUTE.OBSERVATION_INPUT, ATTRIBUTE.OBSERVATION_OUTPUT],
  [GEN_AI.INPUT_MESSAGES, GEN_AI.OUTPUT_MESSAGES],
  [AI_SDK_PROMPT, 'ai.response.text'],
  ['input.value', 'output.value'],
]
/** Operations of models by their names in the conventions. Vendors' own words for a chat are one operation. */
const OPERATIONS: Readonly<Record<string, string>> = {
  chat: 'chat',
  text_completion: 'chat',
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

const NONE: Attributes = {}

export interface CallContent {
  readonly input: string | undefined
  readonly output: string | undefined
  /** Whether the output is the answer itself, whatever its fields are called. Otherwise it may be messages. */
  readonly isAnswer: boolean
}

/** Returns the recorded input and output of a model call; undefined for other spans. */
export function callContent(attributes: Attributes): CallContent | undefined {
  if (modelOperation(attributes) !== 'chat') return undefined
  for (const [inputKey, outputKey] of CONTENT) {
    const input = attributes[inputKey]
    const text = attributes[outputKey]
    // The text of an answer that the AI SDK streams is empty if there is none.
    const isElsewhere = inputKey === AI_SDK_PROMPT && !text
    const { 'ai.response.object': object, 'ai.response.toolCalls': calls } = isElsewhere ? attributes : NONE
    const output = object || (calls !== '[]' && calls) || text
    if (input === undefined && output === undefined) continue
    return {
      input: typeof input === 'string' ? input : undefined,
      output: typeof output === 'string' ? output : undefined,
      isAnswer: Boolean(object),
    }
  }
  return undefined
}

/** Returns what a span asks of a model, whoever recorded it: `chat` or `embeddings`; undefined for other spans. */
export function modelOperation(attributes: Attributes): string | undefined {
  const type = attributes[ATTRIBUTE.OBSERVATION_TYPE]
  if (type !== undefined) return own(TYPES, String(type))
  const operation = attributes[GEN_AI.OPERATION_NAME]
  if (operation !== undefined) return own(OPERATIONS, String(operation))
  const kind = attributes['openinference.span.kind']
  if (kind !== undefined) return own(TYPES, String(kind))
  const isModel = attributes['genkit:metadata:subtype'] === 'model' || attributes['llm.request.type'] === 'chat'
  return isModel || attributes[AI_SDK_PROMPT] !== undefined ? 'chat' : undefined
}
