import type { Conversation, Message } from '@svc/core/chat-content'
import type { Fields } from './read.ts'

export type { Message, Part } from '@svc/core/chat-content'

/** Token counts of one call. Counts of a kind are included in the sum that they belong to. */
export interface Usage {
  /** All input tokens, including cached ones. */
  readonly input: number | undefined
  /** All output tokens, including reasoning. */
  readonly output: number | undefined
  readonly cacheRead?: number | undefined
  /** All tokens written to the cache. */
  readonly cacheWrite?: number | undefined
  /** Cache writes with a lifetime of five minutes and of one hour, if the provider reports them separately. */
  readonly cacheWrite5m?: number | undefined
  readonly cacheWrite1h?: number | undefined
  readonly reasoning?: number | undefined
  readonly inputAudio?: number | undefined
  readonly outputAudio?: number | undefined
  readonly acceptedPrediction?: number | undefined
  readonly rejectedPrediction?: number | undefined
  /** Web searches by the provider, which are priced separately. */
  readonly webSearches?: number | undefined
}

export interface RequestContent extends Conversation {
  /** What the request names by an id, and what it fills in: variables of a stored prompt. */
  readonly metadata?: Fields | undefined
  /** The input of a tool, or of a model without roles. */
  readonly input?: unknown
}

export interface ResponseContent {
  readonly id?: string | undefined
  /** The id of the conversation that the answer is part of. */
  readonly conversation?: string | undefined
  readonly model?: string | undefined
  readonly finishReasons?: readonly string[]
  readonly messages?: readonly Message[]
  readonly usage?: Usage | undefined
  /** US dollars, if the provider reports the cost of the call. */
  readonly cost?: number | undefined
  /** Parameters as served, if they differ from those requested: `service_tier`. */
  readonly served?: Readonly<Record<string, string>> | undefined
  /** The sources of the answer, in the form of the provider. */
  readonly citations?: readonly unknown[]
  /** Ids and counts. */
  readonly metadata?: Fields | undefined
  /** The result of a tool. */
  readonly result?: unknown
  /** Whether the output asks a person for an approval. */
  readonly isInterrupted?: boolean
  /** The failure that the provider reports in an otherwise successful response. */
  readonly failure?: { readonly type: string; readonly message: string } | undefined
}
