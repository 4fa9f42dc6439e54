import type { Listener } from '../calls/call.ts'
import { textPart } from '../calls/parts.ts'
import { PiecedList, PiecedText, TextRoom } from '../calls/pieces.ts'
import { defined, type Fields, fieldsOf, isObject, listOf, nameOf, numberOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import { textQuestion } from '../calls/text-question.ts'
import type { Operation } from '../stainless/operation.ts'
import { parametersOf } from './parameters.ts'
import { usageOf } from './usage.ts'

/** `completions.create`: one text in, another out. */
export const completions: Operation = {
  name: 'text_completion',
  path: /(?<!\/chat)\/completions$/,
  parameters: parametersOf,
  question: ({ prompt }) => textQuestion(prompt),
  answer,
  listen: () => new CompletionListener(),
}

function answer({ id, model, choices, usage }: Fields): Answer {
  const messages = listOf(choices).map((choice) => {
    const { text, finish_reason } = fieldsOf(choice)
    return { role: 'assistant', parts: [textPart(text)], ...defined({ finish_reason: nameOf(finish_reason) }) }
  })
  return {
    id: nameOf(id),
    model: nameOf(model),
    finishReasons: messages.flatMap(({ finish_reason }) => finish_reason ?? []),
    messages,
    usage: usageOf(usage),
  }
}

class CompletionListener implements Listener {
  readonly #room = new TextRoom()
  readonly #choices = new PiecedList(() => ({ said: new PiecedText(this.#room), finish_reason: undefined as unknown }))
  #head: Fields = {}
  #usage: unknown

  add(item: unknown): boolean {
    const chunk = fieldsOf(item)
    if (this.#head.id === undefined) this.#head = { id: chunk.id, model: chunk.model }
    if (isObject(chunk.usage)) this.#usage = chunk.usage
    return listOf(chunk.choices).map(this.#addChoice).includes(true)
  }

  get complete(): boolean {
    const choices = this.#choices.all
    return choices.length > 0 && choices.every(({ finish_reason }) => finish_reason !== undefined)
  }

  get answer(): Answer {
    const choices = this.#choices.all.map(({ said, finish_reason }) => ({ text: said.text ?? '', finish_reason }))
    return answer({ ...this.#head, usage: this.#usage, choices })
  }

  readonly #addChoice = (choice: unknown): boolean => {
    const { index, text, finish_reason } = fieldsOf(choice)
    const known = this.#choices.at(numberOf(index) ?? 0)
    if (known && finish_reason) known.finish_reason = finish_reason
    return known?.said.add(text) ?? false
  }
}
