import { isFields, parsedJson } from '@svc/core/json'
import { messagesIn, textOf, toolCallsOf } from '../root-io/message-parts.ts'
import type { RootTexts } from '../root-io/root-io.ts'

/** Longest JSON text that is read: about ten milliseconds. */
const LIMIT = 1_000_000

/**
 * What a root shows, in a fraction of the bytes of `root-io/messages.ts`, which reads less of a text: a request on an edge
 * runtime makes few model calls.
 */
export const rootTexts: RootTexts = {
  questionIn(input) {
    if (!/^[[{]/.test(input)) return input || undefined
    if (input.length > LIMIT) return undefined
    const messages = messagesIn(parsedJson(input))
    return textOf(messages.findLast((each) => isFields(each) && each.role === 'user' && textOf(each))) ?? input
  },

  answerIn(output) {
    if (!/^[[{]/.test(output) || output.length > LIMIT) return output || undefined
    const messages = messagesIn(parsedJson(output))
    const [text] = messages.flatMap((each) => textOf(each) ?? [])
    const calls = messages.flatMap(toolCallsOf)
    return text ?? (calls.length > 0 ? JSON.stringify(calls) : output)
  },
}
