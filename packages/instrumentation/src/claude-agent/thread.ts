import type { Context } from '@opentelemetry/api'
import type { Message, Part } from '../gen-ai/content.ts'
import { asArray, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { modelOf, Turn } from './turn.ts'

/** More messages than that between two turns, and the rest is not recorded. */
const NEWS_LIMIT = 128

/** What one agent says and hears: the query's own, or a subagent. */
export class Thread {
  readonly context: Context
  /** Since when its next turn is on its way. */
  since: number
  /** What its model has not been told yet. */
  readonly #news: Message[] = []
  #instructions: readonly Part[]
  #turn: Turn | undefined

  constructor(context: Context, since: number, instructions: readonly Part[] = []) {
    this.context = context
    this.since = since
    this.#instructions = instructions
  }

  /** The next turn has this to answer. */
  tell(message: Message): void {
    if (this.#news.length < NEWS_LIMIT && message.parts.length > 0) this.#news.push(message)
  }

  /**
   * The turn that a message or an event belongs to.
   *
   * @param begun is given turns that begin with it
   */
  turnOf(message: Fields, fallback: string | undefined, begun: (turn: Turn) => void): Turn {
    const { id } = message
    if (this.#turn && this.#turn.id === id) return this.#turn
    this.#turn?.close()
    const instructions = this.#instructions.length > 0 ? this.#instructions : undefined
    const question = defined({ instructions, messages: this.#news.splice(0) })
    this.#instructions = []
    const model = modelOf(message) ?? fallback
    this.#turn = new Turn({ id, model, context: this.context, since: this.since, question })
    begun(this.#turn)
    return this.#turn
  }

  /** An event of a stream belongs to the turn whose `message_start` came before. */
  hearEvent(event: Fields, at: number, fallback: string | undefined, begun: (turn: Turn) => void): void {
    if (event.type === 'message_start') this.turnOf(asRecord(event.message), fallback, begun)
    this.#turn?.hearEvent(event, at)
  }
}

/** The blocks of a message of one kind. */
export function blocksOf(message: Fields, type: string): Fields[] {
  return asArray(message.content)
    .map(asRecord)
    .filter((block) => block.type === type)
}
