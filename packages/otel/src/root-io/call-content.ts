import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { AI_SDK_PROMPT, modelOperation } from '../model-operation.ts'

/** The attributes of input and output of a model call: ours, OpenTelemetry's, the AI SDK's, OpenInference's. */
const CONTENT: readonly (readonly [input: string, output: string])[] = [
  [ATTRIBUTE.OBSERVATION_INPUT, ATTRIBUTE.OBSERVATION_OUTPUT],
  [GEN_AI.INPUT_MESSAGES, GEN_AI.OUTPUT_MESSAGES],
  [AI_SDK_PROMPT, 'ai.response.text'],
  ['input.value', 'output.value'],
]
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
