import { type ValueForm, valueText } from '@svc/instrumentation/langchain'
import { asMessage } from './messages.ts'

/** What goes into a chain: messages that are all there is stand for themselves, and so does the text of a `content`. */
export const inputText = (value: unknown): string | undefined => valueText(value, INPUT)

/** What comes out of one: the text of an `output` stands for itself. */
export const outputText = (value: unknown): string | undefined => valueText(value, OUTPUT)

const INPUT: ValueForm = {
  message: asMessage,
  unwrap(value) {
    if (!isRecord(value) || Object.keys(value).length !== 1) return value
    const { content, input, messages } = value
    if (typeof content === 'string') return content
    return [messages, input].find((list) => Array.isArray(list) && list.every(isMessage)) ?? value
  },
}

const OUTPUT: ValueForm = {
  message: asMessage,
  unwrap: (value) => (isRecord(value) && typeof value.output === 'string' ? value.output : value),
}

function isMessage(value: unknown): boolean {
  return isRecord(value) && 'role' in value && 'content' in value
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
