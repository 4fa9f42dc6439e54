import type { PlaceholderMessage } from '../api/types/prompts.ts'

/** The type of an entry of a chat prompt. */
export const ChatMessageType = { ChatMessage: 'chatmessage', Placeholder: 'placeholder' } as const
export type ChatMessageType = (typeof ChatMessageType)[keyof typeof ChatMessageType]

/** A message, assignable to the message types of `openai`, `ai`, `@anthropic-ai/sdk` and LangChain. */
export type PromptMessage = {
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own roles, and a prompt may contain any of them.
  readonly role: any
  readonly content: string
}

/** A placeholder for messages that are inserted later. */
export interface PromptPlaceholder extends PlaceholderMessage {
  readonly type: typeof ChatMessageType.Placeholder
}

/** An entry of a compiled chat prompt: placeholders without messages stay. */
export type ChatMessageOrPlaceholder = PromptMessage | PromptPlaceholder

/** The messages of each placeholder by name, in the format of the model; an empty list removes the placeholder. */
export type PromptPlaceholders = Readonly<Record<string, readonly object[] | undefined>>

/**
 * A placeholder for LangChain's `ChatPromptTemplate.fromMessages`: `["placeholder", "{history}"]`. It also has `role`
 * and `content`, as messages have, so that all entries can be mapped alike.
 */
export type LangchainMessagesPlaceholder = ['placeholder', string] & {
  readonly role: 'placeholder'
  readonly content: string
}
