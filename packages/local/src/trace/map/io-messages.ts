import { GEN_AI } from '@svc/core/attributes'
import { writeText } from '../../exact-json.ts'
import type { Attributes, ReceivedSpan, Value } from '../../store/received.ts'
import type { Io } from './io.ts'
import { arrayOf, isEmpty, isMap } from './read.ts'

/** OpenTelemetry's message attributes; where there are none, what a tool was called with and gave back. */
export function genAiMessages({ attributes }: Pick<ReceivedSpan, 'attributes'>): Io | undefined {
  const { [GEN_AI.INPUT_MESSAGES]: messages, [GEN_AI.OUTPUT_MESSAGES]: output } = attributes
  if (!isEmpty(messages) || !isEmpty(output)) return { input: withSystem(messages, attributes), output }
  const { [GEN_AI.TOOL_CALL_ARGUMENTS]: input, [GEN_AI.TOOL_CALL_RESULT]: result } = attributes
  return isEmpty(input) && isEmpty(result) ? undefined : { input, output: result }
}

/** The messages, with the system instructions as the first one, unless they have a system message already. */
export function withSystem(messages: Value | undefined, attributes: Attributes): Value | undefined {
  const instructions = attributes[GEN_AI.SYSTEM_INSTRUCTIONS]
  const list = arrayOf(messages)
  if (!list || isEmpty(instructions) || list.some((message) => isMap(message) && message.role === 'system')) {
    return messages
  }
  return [{ role: 'system', content: textOfInstructions(instructions ?? '') }, ...list]
}

function textOfInstructions(instructions: Value): Value {
  const parts = arrayOf(instructions)
  if (!parts) return instructions
  return parts.map((part) => (isMap(part) ? writeText(part.content ?? '') : writeText(part))).join('\n')
}
