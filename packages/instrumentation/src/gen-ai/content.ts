import type { Conversation, Message } from '@svc/core/chat-content'

export type { Message, Part } from '@svc/core/chat-content'

/** Tokens of one call. Counts of a kind are part of the whole that they are counted in. */
export interface Usage {
  /** All tokens of the prompt, cached ones included. */
  readonly input: number | undefined
  /** All tokens of the answer, those spent on reasoning included. */
  readonly output: number | undefined
  readonly cacheRead?: number | undefined
  /** All that was written to the cache. */
  readonly cacheWrite?: number | undefined
  /** What of it is kept for five minutes, and for an hour, where the provider tells them apart. */
  readonly cacheWrite5m?: number | undefined
  readonly cacheWrite1h?: number | undefined
  readonly reasoning?: number | undefined
  readonly inputAudio?: number | undefined
  readonly outputAudio?: number | undefined
  readonly acceptedPrediction?: number | undefined
  readonly rejectedPrediction?: number | undefined
  /** Searches that the provider made, which have a price of their own. */
  readonly webSearches?: number | undefined
}

/** What a model was asked. */
export interface RequestContent extends Conversation {
  /** What a tool, or a model without roles, was called with. */
  readonly input?: unknown
}

/** What a model answered. */
export interface ResponseContent {
  readonly id?: string | undefined
  readonly model?: string | undefined
  readonly finishReasons?: readonly string[]
  readonly messages?: readonly Message[]
  readonly usage?: Usage | undefined
  /** Dollars, where the provider itself says what the call costs. */
  readonly cost?: number | undefined
  /** Parameters as they were served, where they differ from what was asked: `service_tier`. */
  readonly served?: Readonly<Record<string, string>> | undefined
  /** What a tool gave back. */
  readonly result?: unknown
  /** The provider's own word that it failed, in an answer that is otherwise fine. */
  readonly failure?: { readonly type: string; readonly message: string } | undefined
}
