import type { Listener } from '../calls/call.ts'
import { PiecedList, PiecedText, TextRoom } from '../calls/pieces.ts'
import { entryOf, type Fields, fieldsOf, numberOf, textOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'

/** The last event of a stream brings the whole response. */
const LAST = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** Puts the events of a streamed response together, for the streams that never get to the last one. */
export class ResponseListener implements Listener {
  readonly #read: (response: Fields) => Answer
  readonly #room = new TextRoom()
  readonly #items = new PiecedList(() => new Item(this.#room))
  #begun: Fields = {}
  #whole: Fields | undefined
  #error: Fields | undefined

  constructor(read: (response: Fields) => Answer) {
    this.#read = read
  }

  add(event: unknown): boolean {
    const { type, response, output_index, item, delta, code, message } = fieldsOf(event)
    const name = textOf(type) ?? ''
    if (name === 'response.created') this.#begun = fieldsOf(response)
    if (LAST.has(name)) this.#whole = fieldsOf(response)
    if (name === 'error') this.#error = { code, message }
    const place = numberOf(output_index)
    const known = place === undefined ? undefined : this.#items.at(place)
    if (name === 'response.output_item.added') known?.begin(fieldsOf(item))
    if (name === 'response.output_item.done') known?.finish(fieldsOf(item))
    return name.endsWith('.delta') && (known?.add(name, delta) ?? false)
  }

  get complete(): boolean {
    return this.#whole !== undefined
  }

  get answer(): Answer {
    if (this.#whole) return this.#read(this.#whole)
    const { id, model } = this.#begun
    const output = this.#items.all.map(({ whole }) => whole)
    return this.#read({ id, model, output, ...(this.#error ? { status: 'failed', error: this.#error } : {}) })
  }
}

/** Which field of an item its deltas are pieces of. */
const PIECES: Readonly<Record<string, 'text' | 'refusal' | 'thought' | 'input'>> = {
  'response.output_text.delta': 'text',
  'response.refusal.delta': 'refusal',
  'response.reasoning_summary_text.delta': 'thought',
  'response.reasoning_text.delta': 'thought',
  'response.function_call_arguments.delta': 'input',
  'response.custom_tool_call_input.delta': 'input',
  'response.mcp_call_arguments.delta': 'input',
}

class Item {
  #begun: Fields = { type: 'message' }
  #done: Fields | undefined
  readonly #texts: Readonly<Record<(typeof PIECES)[string], PiecedText>>

  constructor(room: TextRoom) {
    const text = () => new PiecedText(room)
    this.#texts = { text: text(), refusal: text(), thought: text(), input: text() }
  }

  begin(item: Fields): void {
    this.#begun = item
  }

  finish(item: Fields): void {
    this.#done = item
  }

  /** True when the delta brings something that was said. */
  add(event: string, delta: unknown): boolean {
    const piece = entryOf(PIECES, event)
    return piece !== undefined && this.#texts[piece].add(delta)
  }

  get whole(): Fields {
    if (this.#done) return this.#done
    const { text, refusal, thought, input } = this.#texts
    const content = [
      ...(text.text === undefined ? [] : [{ type: 'output_text', text: text.text }]),
      ...(refusal.text === undefined ? [] : [{ type: 'refusal', refusal: refusal.text }]),
    ]
    if (this.#begun.type === 'message') return { ...this.#begun, content }
    if (this.#begun.type === 'reasoning') return { ...this.#begun, summary: [{ text: thought.text }] }
    return { ...this.#begun, arguments: input.text, input: input.text }
  }
}
