import { isFields } from '@svc/core/json'
import { isMessage, type ValueForm, valueText } from '@svc/instrumentation/langchain'
import { asMessage } from './messages.ts'

/** Returns the input of a chain as text. An object with only messages, or only a `content`, is unwrapped. */
export const inputText = (value: unknown): string | undefined => valueText(value, INPUT)

/** Returns the output of a chain as text. A string in `output` is unwrapped. */
export const outputText = (value: unknown): string | undefined => valueText(value, OUTPUT)

const INPUT: ValueForm = {
  message: asMessage,
  unwrap(value, given) {
    if (!isFields(value) || !isFields(given) || Object.keys(value).length !== 1) return value
    if (typeof value.content === 'string') return value.content
    // The input of a graph may be messages as plain objects, which are kept as they are.
    const key = ['messages', 'input'].find((name) => {
      const list = given[name]
      return Array.isArray(list) && list.every(isMessage)
    })
    return key === undefined ? value : value[key]
  },
}

const OUTPUT: ValueForm = {
  message: asMessage,
  unwrap: (value) => (isFields(value) && typeof value.output === 'string' ? value.output : value),
}
