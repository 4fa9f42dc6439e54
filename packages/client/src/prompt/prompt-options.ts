import type { ChatMessage, ChatMessageWithPlaceholders } from '../api/types/prompts.ts'
import type { ChatPromptClient, TextPromptClient } from './prompt-client.ts'

/** The types of each kind of prompt. */
interface Kinds {
  text: { client: TextPromptClient; fallback: string }
  chat: { client: ChatPromptClient; fallback: readonly (ChatMessage | ChatMessageWithPlaceholders)[] }
}

export type PromptKind = keyof Kinds
export type PromptClientOf<K extends PromptKind> = Kinds[K]['client']
export type PromptFallback<K extends PromptKind = PromptKind> = Kinds[K]['fallback']

/** Options of `prompt.get`. */
export interface GetPromptOptions<K extends PromptKind> {
  /** Get this version. Set either a version or a label. */
  readonly version?: number | undefined
  /** Get the version with this label. Default `production`. */
  readonly label?: string | undefined
  /** The kind of the prompt, for the types. Default `text`. */
  readonly type?: K | undefined
  /** Seconds for which a fetched prompt is cached. 0 fetches each time. Default 60. */
  readonly cacheTtlSeconds?: number | undefined
  /** Prompt to use if it cannot be fetched and no file contains it. An empty string is ignored. */
  readonly fallback?: PromptFallback<K> | undefined
  /** Milliseconds to wait for the first response if a file contains the prompt; then the file is used. Default 250. */
  readonly fileAfterMs?: number | undefined
  /** Number of retries of a failed fetch, as far as there is time. Default 2. */
  readonly maxRetries?: number | undefined
  /** Time-out of a fetch in milliseconds, with its retries. Default: the time-out of the client. */
  readonly fetchTimeoutMs?: number | undefined
}

/** Returns the requested version or label, for the cache and messages: `version 3`, `label production`. */
export function variantOf({ version, label }: Pick<GetPromptOptions<PromptKind>, 'version' | 'label'>): string {
  const parts = [version !== undefined && `version ${version}`, label !== undefined && `label ${label}`]
  return parts.filter((part) => part !== false).join(', ') || 'label production'
}
