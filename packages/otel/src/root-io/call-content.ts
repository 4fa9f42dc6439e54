import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'

const AI_SDK_PROMPT = 'ai.prompt.messages'
/** The attributes of input and output of a model call: ours, OpenTelemetry's, the AI SDK's, OpenInference's. */
const CONTENT: readonly (readonly [input: string, output: string])[] = [
  [ATTRIBUTE.OBSERVATION_INPUT, ATTRIBUTE.OBSERVATION_OUTPUT],
  [GEN_AI.INPUT_MESSAGES, GEN_AI.OUTPUT_MESSAGES],
  [AI_SDK_PROMPT, 'ai.response.text'],
  ['input.value', 'output.value'],
]
const OPERATIONS: ReadonlySet<unknown> = new Set(['chat', 'text_completion', 'generate_content'])

/** Returns the recorded input and output of a model call; undefined for other spans. */
export interface CallContent {
  readonly input: string | undefined
  readonly output: string | undefined
}

export function callContent(attributes: Attributes): CallContent | undefined {
  if (!isModelCall(attributes)) return undefined
  for (const [inputKey, outputKey] of CONTENT) {
    const input = attributes[inputKey]
    const output = attributes[outputKey] ?? (inputKey === AI_SDK_PROMPT ? answerWithoutText(attributes) : undefined)
    if (input === undefined && output === undefined) continue
    return {
      input: typeof input === 'string' ? input : undefined,
      output: typeof output === 'string' ? output : undefined,
    }
  }
  return undefined
}

/** Returns the object, or the tool calls, that the AI SDK recorded of an answer, as a message. */
function answerWithoutText({ 'ai.response.object': object, 'ai.response.toolCalls': calls }: Attributes): unknown {
  return object ? JSON.stringify([{ content: object }]) : calls && `[{"content":${calls}}]`
}

function isModelCall(attributes: Attributes): boolean {
  const type = attributes[ATTRIBUTE.OBSERVATION_TYPE]
  if (type !== undefined) return type === 'generation'
  const operation = attributes[GEN_AI.OPERATION_NAME]
  if (OPERATIONS.has(operation)) return true
  return attributes['openinference.span.kind'] === 'LLM' || attributes[AI_SDK_PROMPT] !== undefined
}
