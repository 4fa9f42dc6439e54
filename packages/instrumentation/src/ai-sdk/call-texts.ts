import { asArray, asRecord, isObject } from '../gen-ai/read.ts'
import { toJson } from './attribute-values.ts'
import { type Answered, inputMessage, outputMessages } from './messages.ts'

interface Known {
  readonly content: unknown
  readonly text: string
}

interface Output {
  readonly text: unknown
  readonly finishReason: unknown
  readonly json: string | undefined
}

/**
 * The messages of one call as JSON texts, each made once: every request to the model repeats the messages of those
 * before, and the call its last answer. A message that gets other content is another message.
 */
export class CallTexts {
  readonly #known = new Map<object, Known>()
  /** The latest answer that was a text and nothing else. */
  #output: Output | undefined

  /** JSON text of all messages. A text in their place is one message of the user. */
  input(...inputs: readonly unknown[]): string {
    const texts = inputs.flatMap((input) => asArray(input).map((message) => this.#textOf(message)))
    return `[${texts.join(',')}]`
  }

  /** JSON text of an answer. */
  output(answer: Answered): string | undefined {
    const { text, finishReason } = answer
    if (!isText(answer)) return toJson(outputMessages(answer))
    const { text: known, finishReason: knownReason } = this.#output ?? {}
    if (!this.#output || known !== text || knownReason !== finishReason) {
      this.#output = { text, finishReason, json: toJson(outputMessages(answer)) }
    }
    return this.#output.json
  }

  #textOf(message: unknown): string {
    const known = isObject(message) ? this.#known.get(message) : undefined
    const { content } = asRecord(message)
    if (known && known.content === content) return known.text
    const text = toJson(inputMessage(message)) ?? 'null'
    if (isObject(message)) this.#known.set(message, { content, text })
    return text
  }
}

function isText({ reasoning, toolCalls, toolResults, files }: Answered): boolean {
  return [reasoning, toolCalls, toolResults, files].every((parts) => !parts || parts.length === 0)
}
