import { GEN_AI } from '@svc/core/attributes'
import type { Attributes, ReceivedSpan, Value } from '../received.ts'
import type { Io } from './io.ts'
import { arrayOf, isEmpty } from './read.ts'

/** OpenTelemetry's message attributes: the system instructions become the first message of the input. */
export function genAiMessages({ attributes }: Pick<ReceivedSpan, 'attributes'>): Io {
  const keys = [GEN_AI.INPUT_MESSAGES, GEN_AI.OUTPUT_MESSAGES, GEN_AI.SYSTEM_INSTRUCTIONS]
  return {
    input: withSystem(attributes),
    output: attributes[GEN_AI.OUTPUT_MESSAGES],
    used: keys.filter((key) => !isEmpty(attributes[key])),
  }
}

function withSystem(attributes: Attributes): Value | undefined {
  const messages = attributes[GEN_AI.INPUT_MESSAGES]
  const said = attributes[GEN_AI.SYSTEM_INSTRUCTIONS]
  if (said === undefined || isEmpty(said)) return messages
  const parts = arrayOf(said) ?? [{ type: 'text', content: said }]
  const system = { role: 'system', parts }
  if (messages === undefined || isEmpty(messages)) return [system]
  return [system, ...(arrayOf(messages) ?? [messages])]
}
