import type { Listener } from '../calls/call.ts'
import { parsedJson } from '../calls/parts.ts'
import { PiecedList, PiecedText, TextRoom } from '../calls/pieces.ts'
import { type Fields, fieldsOf, numberOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import { interactionAnswer } from './interactions.ts'

/** Puts the events of a streamed interaction together. */
export class InteractionListener implements Listener {
  readonly #room = new TextRoom()
  readonly #steps = new PiecedList(() => new Step(this.#room))
  #interaction: Fields = {}
  complete = false

  add(item: unknown): boolean {
    const { event_type, interaction, index, step, delta } = fieldsOf(item)
    const known = this.#steps.at(numberOf(index) ?? 0)
    switch (event_type) {
      case 'interaction.completed':
        this.complete = true
        this.#interaction = { ...this.#interaction, ...fieldsOf(interaction) }
        return false
      case 'interaction.created':
        this.#interaction = fieldsOf(interaction)
        return false
      case 'step.start':
        known?.begin(fieldsOf(step))
        return false
      case 'step.delta':
        return known?.add(fieldsOf(delta)) ?? false
    }
    return false
  }

  get answer(): Answer {
    return interactionAnswer({ ...this.#interaction, steps: this.#steps.all.flatMap(({ whole }) => whole ?? []) })
  }
}

class Step {
  #begun: Fields | undefined
  readonly #text: PiecedText
  readonly #input: PiecedText

  constructor(room: TextRoom) {
    this.#text = new PiecedText(room)
    this.#input = new PiecedText(room)
  }

  begin(step: Fields): void {
    this.#begun = step
  }

  /** True when the delta brings something that was said. Thoughts come as contents. */
  add({ text, content, arguments: input }: Fields): boolean {
    const said = this.#text.add(text ?? fieldsOf(content).text)
    return this.#input.add(input) || said
  }

  /** Undefined where nothing began. */
  get whole(): Fields | undefined {
    const begun = this.#begun
    if (!begun) return undefined
    const texts = this.#text.text === undefined ? [] : [{ type: 'text', text: this.#text.text }]
    if (begun.type === 'model_output') return { ...begun, content: texts }
    if (begun.type === 'thought') return { ...begun, summary: texts }
    return this.#input.text === undefined ? begun : { ...begun, arguments: parsedJson(this.#input.text) }
  }
}
