import type { Listener } from '../calls/call.ts'
import { PiecedList, PiecedText, TextRoom } from '../calls/pieces.ts'
import { type Fields, fieldsOf, numberOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import { answerOf } from './messages.ts'

/** Puts the events of a streamed chat together. */
export class ChatListener implements Listener {
  readonly #room = new TextRoom()
  readonly #plan = new PiecedText(this.#room)
  readonly #texts = new PiecedList(() => ({ said: new PiecedText(this.#room), thought: new PiecedText(this.#room) }))
  readonly #calls = new PiecedList(() => ({ begun: {} as Fields, input: new PiecedText(this.#room) }))
  #id: unknown
  #end: Fields | undefined

  add(item: unknown): boolean {
    const { type, id, index, delta } = fieldsOf(item)
    const { message } = fieldsOf(delta)
    const place = numberOf(index) ?? 0
    // Fields that a version does not know yet keep the name they have on the wire.
    const { content, tool_plan, tool_calls, toolPlan = tool_plan, toolCalls = tool_calls } = fieldsOf(message)
    if (type === 'message-start') this.#id = id
    if (type === 'message-end') this.#end = fieldsOf(delta)
    if (type === 'tool-plan-delta') return this.#plan.add(toolPlan)
    if (type === 'content-start' || type === 'content-delta') return this.#addText(place, fieldsOf(content))
    if (type === 'tool-call-start' || type === 'tool-call-delta') return this.#addCall(place, fieldsOf(toolCalls))
    return false
  }

  get complete(): boolean {
    return this.#end !== undefined
  }

  get answer(): Answer {
    const content = this.#texts.all.flatMap(({ said, thought }) => [
      ...(thought.text === undefined ? [] : [{ type: 'thinking', thinking: thought.text }]),
      ...(said.text === undefined ? [] : [{ type: 'text', text: said.text }]),
    ])
    const toolCalls = this.#calls.all.map(({ begun, input }) => {
      return { id: begun.id, function: { ...fieldsOf(begun.function), arguments: input.text } }
    })
    const { finishReason, usage } = this.#end ?? {}
    return answerOf({ id: this.#id, finishReason, usage, message: { toolPlan: this.#plan.text, content, toolCalls } })
  }

  #addText(place: number, { text, thinking }: Fields): boolean {
    const known = this.#texts.at(place)
    const thought = known?.thought.add(thinking) ?? false
    return (known?.said.add(text) ?? false) || thought
  }

  #addCall(place: number, call: Fields): boolean {
    const known = this.#calls.at(place)
    if (known && call.id) known.begun = call
    known?.input.add(fieldsOf(call.function).arguments)
    return true
  }
}
