import type { PlaceholderMessage } from '../api/types/prompts.ts'

/** What an entry of a chat prompt is. */
export const ChatMessageType = { ChatMessage: 'chatmessage', Placeholder: 'placeholder' } as const
export type ChatMessageType = (typeof ChatMessageType)[keyof typeof ChatMessageType]

/** A message as models take it: it fits the message types of `openai`, `ai`, `@anthropic-ai/sdk` and LangChain. */
export type PromptMessage = {
  // biome-ignore lint/suspicious/noExplicitAny: each library has roles of its own, and a prompt may hold any of them.
  readonly role: any
  readonly content: string
}

/** What stands for messages that are only known later. */
export interface PromptPlaceholder extends PlaceholderMessage {
  readonly type: typeof ChatMessageType.Placeholder
}

/** One entry of a compiled chat prompt: a placeholder that got no messages stays. */
export type ChatMessageOrPlaceholder = PromptMessage | PromptPlaceholder

/** The messages of each placeholder by its name, as a model takes them; an empty list leaves the placeholder out. */
export type PromptPlaceholders = Readonly<Record<string, readonly object[] | undefined>>

/**
 * What LangChain's `ChatPromptTemplate.fromMessages` understands as a placeholder: `["placeholder", "{history}"]`. Both
 * parts have the names that they have in messages too, so that entries can be mapped without a look at their kind.
 */
export type LangchainMessagesPlaceholder = ['placeholder', string] & {
  readonly role: 'placeholder'
  readonly content: string
}
