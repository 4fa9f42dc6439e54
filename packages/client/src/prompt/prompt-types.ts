import type { PlaceholderMessage } from '../api/types/prompts.ts'

/** What an entry of a chat prompt is. */
export const ChatMessageType = { ChatMessage: 'chatmessage', Placeholder: 'placeholder' } as const
export type ChatMessageType = (typeof ChatMessageType)[keyof typeof ChatMessageType]

/** A message as models take it. */
export interface PromptMessage {
  readonly role: string
  readonly content: string
}

/** What stands for messages that are only known later. */
export interface PromptPlaceholder extends PlaceholderMessage {
  readonly type: typeof ChatMessageType.Placeholder
}

/** One entry of a compiled chat prompt: a placeholder that got no messages stays. */
export type ChatMessageOrPlaceholder = PromptMessage | PromptPlaceholder

/** The messages of each placeholder by its name; an empty list leaves the placeholder out. */
export type PromptPlaceholders = Readonly<Record<string, readonly PromptMessage[] | undefined>>

/** What LangChain's `ChatPromptTemplate.fromMessages` understands as a placeholder: `["placeholder", "{history}"]`. */
export type LangchainMessagesPlaceholder = readonly ['placeholder', string]
