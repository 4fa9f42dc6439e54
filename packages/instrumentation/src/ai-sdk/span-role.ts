import type { Fate } from './fate.ts'
import type { OpenSpan } from './open-span.ts'
import type { Words } from './said.ts'

/** What a span tells of: a whole call, or a part of one. */
export type Role = 'call' | 'step' | 'model' | 'tool'

export interface OpenSpanOptions {
  readonly role: Role
  readonly words: Words
  /** The span it lies in, where that is one of the SDK as well. */
  readonly above: OpenSpan | undefined
  /** Of a whole call: whether it wants recorded what the model says. Default true. */
  readonly tellsOutput?: boolean | undefined
  /** Of a whole call of version 7: the name that the SDK gives it. */
  readonly id?: string | undefined
  /** Whether the SDK itself writes to the span, which its methods are replaced for. Default false. */
  readonly watched?: boolean
}

/** What knows how a call will have ended that nobody has been told of yet. */
export interface Foresight {
  readonly fate: Fate | undefined
}
