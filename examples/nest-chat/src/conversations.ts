import { Injectable } from '@nestjs/common'

export interface Turn {
  readonly question: string
  readonly answer: string
}

export interface Conversation {
  readonly owner: string
  readonly turns: Turn[]
  summary?: string
}

/** What has been said, in memory. */
@Injectable()
export class Conversations {
  readonly #all = new Map<string, Conversation>()

  /** The conversation of that id, created when it is new; undefined when it is another user's. */
  of(owner: string, id: string): Conversation | undefined {
    const conversation = this.#all.get(id) ?? { owner, turns: [] }
    this.#all.set(id, conversation)
    return conversation.owner === owner ? conversation : undefined
  }
}
