import { fieldsOf, isObject, listOf } from '../calls/read.ts'
import { toJson } from './attribute-values.ts'
import { inputMessage } from './messages.ts'

interface Known {
  readonly content: unknown
  readonly text: string
}

/**
 * The messages of one call as JSON texts, each made once: every request to the model repeats the messages of those
 * before. A message that gets other content is another message.
 */
export class MessageTexts {
  readonly #known = new Map<object, Known>()

  /** JSON text of all messages. A text in their place is one message of the user. */
  join(...inputs: readonly unknown[]): string {
    const texts = inputs.flatMap((input) => listOf(input).map((message) => this.#textOf(message)))
    return `[${texts.join(',')}]`
  }

  #textOf(message: unknown): string {
    const known = isObject(message) ? this.#known.get(message) : undefined
    const { content } = fieldsOf(message)
    if (known && known.content === content) return known.text
    const text = toJson(inputMessage(message)) ?? 'null'
    if (isObject(message)) this.#known.set(message, { content, text })
    return text
  }
}
