import type { Attributes, ReceivedSpan, Value } from '../../store/received.ts'
import type { Io } from './io.ts'
import { genAiMessages } from './io-messages.ts'
import { isEmpty } from './read.ts'

const INPUTS = ['ai.prompt.messages', 'ai.prompt', 'ai.toolCall.args']
const OUTPUTS = [
  'ai.result.text',
  'ai.toolCall.result',
  'ai.response.object',
  'ai.result.object',
  'ai.response.toolCalls',
  'ai.result.toolCalls',
]

/** Spans of the AI SDK: its own keys, for each half that they leave empty the GenAI messages, and nothing else. */
export function aiSdk(span: ReceivedSpan): Io {
  const { attributes } = span
  const input = firstPresent(attributes, INPUTS)
  const output = outputOf(attributes)
  const other = isEmpty(input) || isEmpty(output) ? genAiMessages(span) : undefined
  return { input: isEmpty(input) ? other?.input : input, output: isEmpty(output) ? other?.output : output }
}

function outputOf(attributes: Attributes): Value | undefined {
  const { 'ai.response.text': text, 'ai.response.toolCalls': toolCalls } = attributes
  if (text !== undefined && toolCalls !== undefined) return { role: 'assistant', content: text, tool_calls: toolCalls }
  return isEmpty(text) ? firstPresent(attributes, OUTPUTS) : text
}

function firstPresent(attributes: Attributes, keys: readonly string[]): Value | undefined {
  return attributes[keys.find((key) => attributes[key] !== undefined) ?? '']
}
