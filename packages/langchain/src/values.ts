import { isFields } from '@svc/core/json'
import { type ValueForm, valueText } from '@svc/instrumentation/langchain'
import { asMessage } from './messages.ts'

/** Returns the input of a chain as text. An object with only messages, or only a `content`, is unwrapped. */
export const inputText = (value: unknown): string | undefined => valueText(value, INPUT)

/** Returns the output of a chain as text. A string in `output` is unwrapped. */
export const outputText = (value: unknown): string | undefined => valueText(value, OUTPUT)

const INPUT: ValueForm = {
  message: asMessage,
  unwrap(value) {
    if (!isFields(value) || Object.keys(value).length !== 1) return value
    const { content, input, messages } = value
    if (typeof content === 'string') return content
    return [messages, input].find((list) => Array.isArray(list) && list.every(isMessage)) ?? value
  },
}

const OUTPUT: ValueForm = {
  message: asMessage,
  unwrap: (value) => (isFields(value) && typeof value.output === 'string' ? value.output : value),
}

function isMessage(value: unknown): boolean {
  return isFields(value) && 'role' in value && 'content' in value
}
