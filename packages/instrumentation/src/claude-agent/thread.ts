import type { Context } from '@opentelemetry/api'
import type { Message, Part } from '../gen-ai/content.ts'
import { asArray, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { ModelTurn, readModel } from './turn.ts'

/** Most messages recorded between two turns. */
const NEW_MESSAGE_LIMIT = 128

/** The conversation of one agent: that of the query, or a subagent. */
export class AgentThread {
  readonly context: Context
  /** When the next turn started. */
  turnStart: number
  /** Messages since the last turn. */
  readonly #newMessages: Message[] = []
  #instructions: readonly Part[]
  #turn: ModelTurn | undefined

  constructor(context: Context, turnStart: number, instructions: readonly Part[] = []) {
    this.context = context
    this.turnStart = turnStart
    this.#instructions = instructions
  }

  /** Adds a message for the next turn. */
  addMessage(message: Message): void {
    if (this.#newMessages.length < NEW_MESSAGE_LIMIT && message.parts.length > 0) this.#newMessages.push(message)
  }

  /**
   * Returns the turn that a message or event belongs to.
   *
   * @param onTurnStart called with a turn that starts with it
   */
  getTurn(message: Fields, fallback: string | undefined, onTurnStart: (turn: ModelTurn) => void): ModelTurn {
    const { id } = message
    if (this.#turn && this.#turn.id === id) return this.#turn
    this.#turn?.close()
    const instructions = this.#instructions.length > 0 ? this.#instructions : undefined
    const content = defined({ instructions, messages: this.#newMessages.splice(0) })
    this.#instructions = []
    const model = readModel(message) ?? fallback
    this.#turn = new ModelTurn({ id, model, context: this.context, startTime: this.turnStart, content })
    onTurnStart(this.#turn)
    return this.#turn
  }

  /** Called with a stream event, which belongs to the turn of the last `message_start`. */
  onStreamEvent(event: Fields, at: number, fallback: string | undefined, onTurnStart: (turn: ModelTurn) => void): void {
    if (event.type === 'message_start') this.getTurn(asRecord(event.message), fallback, onTurnStart)
    this.#turn?.onStreamEvent(event, at)
  }
}

export function readBlocks(message: Fields, type: string): Fields[] {
  return asArray(message.content)
    .map(asRecord)
    .filter((block) => block.type === type)
}
