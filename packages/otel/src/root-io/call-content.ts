import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'

/** The attributes of input and output of a model call: ours, OpenTelemetry's, the AI SDK's, OpenInference's. */
const CONTENT: readonly (readonly [input: string, output: string])[] = [
  [ATTRIBUTE.OBSERVATION_INPUT, ATTRIBUTE.OBSERVATION_OUTPUT],
  [GEN_AI.INPUT_MESSAGES, GEN_AI.OUTPUT_MESSAGES],
  ['ai.prompt.messages', 'ai.response.text'],
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
    const output = attributes[outputKey]
    if (input === undefined && output === undefined) continue
    return {
      input: typeof input === 'string' ? input : undefined,
      output: typeof output === 'string' ? output : undefined,
    }
  }
  return undefined
}

function isModelCall(attributes: Attributes): boolean {
  const type = attributes[ATTRIBUTE.OBSERVATION_TYPE]
  if (type !== undefined) return type === 'generation'
  const operation = attributes[GEN_AI.OPERATION_NAME]
  if (OPERATIONS.has(operation)) return true
  return attributes['openinference.span.kind'] === 'LLM' || attributes['ai.prompt.messages'] !== undefined
}
