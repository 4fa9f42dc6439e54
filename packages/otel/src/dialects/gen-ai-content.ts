import type { Attributes, AttributeValue } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import { chatInput, chatMessages, type Message, type Part } from '@svc/core/chat-content'
import { fromMetadataText } from '@svc/core/json'
import type { ServiceContent } from './service-content.ts'

/** Longer texts stay unchanged: parsing them would block the application. */
export const LIMIT = 4_000_000

const INPUT = [GEN_AI.INPUT_MESSAGES, GEN_AI.SYSTEM_INSTRUCTIONS, GEN_AI.TOOL_DEFINITIONS]

/** Reads a message; undefined for what is none. */
export type ReadMessage = (value: unknown) => Message | undefined

/**
 * Converts messages of the GenAI conventions to the service's dialect; undefined without messages.
 *
 * @param readMessage Default: messages in the form of the conventions only
 */
export function genAiContent(
  attributes: Attributes,
  readMessage: ReadMessage = (value) => (isMessage(value) ? value : undefined),
): ServiceContent | undefined {
  const { [GEN_AI.INPUT_MESSAGES]: inputMessages, [GEN_AI.OUTPUT_MESSAGES]: outputMessages } = attributes
  if (inputMessages === undefined && outputMessages === undefined) return undefined
  const read = (name: string) => parsed(attributes[name])
  const messages = inputMessages === undefined ? [] : messagesIn(read(GEN_AI.INPUT_MESSAGES), readMessage)
  const answers = outputMessages === undefined ? [] : messagesIn(read(GEN_AI.OUTPUT_MESSAGES), readMessage)
  // A value in another form stays unchanged, with all its attributes.
  if (!messages || !answers) return undefined
  const isAgent = attributes[GEN_AI.OPERATION_NAME] === 'invoke_agent'
  const instructions = instructionsIn(read(GEN_AI.SYSTEM_INSTRUCTIONS))
  const input =
    inputMessages === undefined
      ? undefined
      : chatInput({ instructions, messages, tools: read(GEN_AI.TOOL_DEFINITIONS) })
  return {
    input: input && JSON.stringify(input),
    output:
      outputMessages === undefined
        ? undefined
        : JSON.stringify(chatMessages(isAgent ? answers.map(withoutCalls) : answers)),
    from: inputMessages === undefined ? [GEN_AI.OUTPUT_MESSAGES] : [...INPUT, GEN_AI.OUTPUT_MESSAGES],
  }
}

function messagesIn(value: unknown, readMessage: ReadMessage): readonly Message[] | undefined {
  if (!Array.isArray(value)) return undefined
  const messages = value.map(readMessage)
  return messages.every((message) => message !== undefined) ? messages : undefined
}

function isMessage(value: unknown): value is Message {
  const { role, parts } = Object(value) as Record<string, unknown>
  return typeof role === 'string' && Array.isArray(parts) && parts.every((part) => typeof part?.type === 'string')
}

/** The final response of an agent. Its tool calls are recorded on the model calls below it. */
function withoutCalls(message: Message): Message {
  const parts = message.parts.filter(({ type }) => !type.startsWith('tool_call'))
  return parts.some(({ type }) => type === 'text') ? { ...message, parts } : message
}

function instructionsIn(value: unknown): readonly Part[] | undefined {
  if (value === undefined) return undefined
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.map((part) => (typeof part === 'object' ? (part as Part) : { type: 'text', content: part }))
}

function parsed(value: AttributeValue | undefined): unknown {
  return typeof value !== 'string' || value.length > LIMIT ? undefined : fromMetadataText(value)
}
