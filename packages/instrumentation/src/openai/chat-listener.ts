import { log } from '@svc/core/log'
import type { Listener } from '../calls/call.ts'
import { PiecedList, PiecedText, TextRoom } from '../calls/pieces.ts'
import { type Fields, fieldsOf, isObject, listOf, numberOf, textOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import { failureOf } from './failure.ts'

/** Puts `chat.completion.chunk`s together to what the answer would have been in one piece. */
export class ChatListener implements Listener {
  readonly #read: (response: Fields) => Answer
  readonly #room = new TextRoom()
  readonly #choices = new PiecedList(() => new Choice(this.#room))
  #head: Fields = {}
  #usage: unknown
  /** Groq says so in a chunk when it stops a stream early. */
  #error: string | undefined

  constructor(read: (response: Fields) => Answer) {
    this.#read = read
  }

  add(item: unknown): boolean {
    const chunk = fieldsOf(item)
    if (this.#head.id === undefined) this.#head = { id: chunk.id, model: chunk.model }
    const groq = fieldsOf(chunk.x_groq)
    const usage = chunk.usage ?? groq.usage
    if (isObject(usage)) this.#usage = usage
    this.#error ??= textOf(groq.error)
    let spoken = false
    for (const choice of listOf(chunk.choices)) spoken = this.#addChoice(fieldsOf(choice)) || spoken
    return spoken
  }

  get complete(): boolean {
    const choices = this.#choices.all
    return choices.length > 0 && choices.every(({ finish }) => finish !== undefined)
  }

  get answer(): Answer {
    if (this.complete && this.#usage === undefined) {
      log.once('warn', 'a streamed chat completion has token counts only with stream_options: { include_usage: true }.')
    }
    const choices = this.#choices.all.map(({ whole }) => whole)
    const answer = this.#read({ ...this.#head, usage: this.#usage, choices })
    return this.#error === undefined ? answer : { ...answer, failure: failureOf({ message: this.#error }) }
  }

  #addChoice({ index, delta, finish_reason }: Fields): boolean {
    const known = this.#choices.at(numberOf(index) ?? 0)
    if (known && finish_reason) known.finish = finish_reason
    return known?.add(fieldsOf(delta)) ?? false
  }
}

class Choice {
  finish: unknown
  readonly #texts: Readonly<Record<'content' | 'refusal' | 'reasoning' | 'transcript', PiecedText>>
  readonly #calls: PiecedList<ToolCall>

  constructor(room: TextRoom) {
    const text = () => new PiecedText(room)
    this.#texts = { content: text(), refusal: text(), reasoning: text(), transcript: text() }
    this.#calls = new PiecedList(() => new ToolCall(room))
  }

  /** True when the delta brings something that was said. */
  add({ content, refusal, reasoning_content, reasoning, audio, tool_calls, function_call }: Fields): boolean {
    let said = this.#texts.content.add(content)
    said = this.#texts.refusal.add(refusal) || said
    said = this.#texts.reasoning.add(reasoning_content ?? reasoning) || said
    said = this.#texts.transcript.add(fieldsOf(audio).transcript) || said
    if (!tool_calls && !function_call) return said
    const calls = [...listOf(tool_calls), ...(function_call ? [{ function: function_call }] : [])].map(fieldsOf)
    for (const [place, call] of calls.entries()) this.#calls.at(numberOf(call.index) ?? place)?.add(call)
    return said || calls.length > 0
  }

  get whole(): Fields {
    const { content, refusal, reasoning, transcript } = this.#texts
    const message = {
      reasoning_content: reasoning.text,
      content: content.text,
      refusal: refusal.text,
      audio: transcript.text === undefined ? undefined : { transcript: transcript.text },
      tool_calls: this.#calls.all.map(({ whole }) => whole),
    }
    return { message, finish_reason: this.finish }
  }
}

class ToolCall {
  #id: unknown
  readonly #name: PiecedText
  readonly #input: PiecedText

  constructor(room: TextRoom) {
    this.#name = new PiecedText(room)
    this.#input = new PiecedText(room)
  }

  add({ id, function: called, custom }: Fields): void {
    const { name, arguments: input, input: text } = fieldsOf(called ?? custom)
    if (id) this.#id = id
    // Some servers repeat the whole name with every piece of the arguments.
    if (name !== this.#name.text) this.#name.add(name)
    this.#input.add(input ?? text)
  }

  get whole(): Fields {
    return { id: this.#id, function: { name: this.#name.text, arguments: this.#input.text } }
  }
}
