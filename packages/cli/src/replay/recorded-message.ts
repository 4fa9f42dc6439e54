import { isFields } from '@svc/core/json'
import type { AnswerCall } from './answer.ts'

/** A message of a recorded input or output. */
export interface RecordedMessage {
  readonly role: string
  readonly text: string
  readonly thinking: string
  readonly calls: readonly AnswerCall[]
  /** Whether it has more than that: pictures, sound. They are named in the text. */
  readonly hasMore: boolean
}

/** Reads a message in the form of the service, or in that of the AI SDK, where several results are one message. */
export function readMessages(message: unknown): readonly RecordedMessage[] {
  if (!isFields(message)) return [{ ...NOTHING, role: 'input', text: asText(message) }]
  const { role, content, thinking, tool_calls } = message
  const parts = Array.isArray(content) ? content.map(readPart) : [{ text: asText(content ?? '') }]
  const results = parts.filter(({ isResult }) => isResult)
  if (results.length > 0) return results.map(({ text = '' }) => ({ ...NOTHING, role: 'tool', text }))
  const thoughts = Array.isArray(thinking) ? thinking.map((each) => asText(fieldsIn(each).content)) : []
  return [
    {
      role: role === 'developer' ? 'system' : String(role),
      text: parts.map(({ text = '' }) => text).join(''),
      thinking: [...thoughts, ...parts.map(({ thought = '' }) => thought)].join(''),
      calls: [
        ...(Array.isArray(tool_calls) ? tool_calls.map(readCall) : []),
        ...parts.flatMap(({ call = [] }) => call),
      ],
      hasMore: parts.some(({ isOther }) => isOther),
    },
  ]
}

const NOTHING = { text: '', thinking: '', calls: [], hasMore: false }

interface Part {
  readonly text?: string
  readonly thought?: string
  readonly call?: AnswerCall
  readonly isResult?: boolean
  readonly isOther?: boolean
}

function readPart(part: unknown): Part {
  const { type, text, toolCallId, toolName, input, args, output, result } = fieldsIn(part)
  if (type === 'text') return { text: asText(text) }
  if (type === 'reasoning') return { thought: asText(text) }
  if (type === 'tool-call')
    return { call: { id: String(toolCallId), name: String(toolName), arguments: asText(input ?? args) } }
  if (type === 'tool-result') return { isResult: true, text: asText(fieldsIn(output).value ?? output ?? result) }
  // A trace has a tag in the place of a picture.
  return { text: `[${typeof part === 'string' ? 'media' : type}]`, isOther: true }
}

function readCall(call: unknown): AnswerCall {
  const { id, function: called } = fieldsIn(call)
  const { name, arguments: input } = fieldsIn(called)
  return { id: String(id), name: String(name), arguments: asText(input) }
}

export const fieldsIn = (value: unknown): Readonly<Record<string, unknown>> => (isFields(value) ? value : {})

export const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
