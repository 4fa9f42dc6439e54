import { isFields } from '@svc/core/json'
import type {
  ChatMessage,
  ChatMessageWithPlaceholders,
  CreateChatPromptRequest,
  CreatePromptRequest,
  CreateTextPromptRequest,
} from '../api/types/prompts.ts'
import { isText, misuse } from '../misuse.ts'
import { isPlaceholder } from './placeholders.ts'
import { ChatMessageType } from './prompt-types.ts'

/** A chat prompt to create. Messages need no `type`; placeholders are `{ type: 'placeholder', name }`. */
export interface CreateChatPromptBody extends Omit<CreateChatPromptRequest, 'prompt'> {
  prompt: readonly (ChatMessage | ChatMessageWithPlaceholders)[]
}

/**
 * Returns the request that creates a prompt, with the type of every entry of a chat. @throws {TypeError} for an invalid
 * prompt
 */
export function createRequest(body: CreateTextPromptRequest | CreateChatPromptBody): CreatePromptRequest {
  if (!isFields(body)) throw misuse('prompt.create', '{ name, prompt }', body)
  if (!isText(body.name)) throw misuse('prompt.create', 'a name (a string)', body.name)
  if (body.type !== 'chat') {
    if (typeof body.prompt === 'string') return { ...body, type: 'text' }
    throw misuse('prompt.create', "a prompt that is a string (a list of messages has type: 'chat')", body.prompt)
  }
  if (Array.isArray(body.prompt)) return { ...body, prompt: body.prompt.map(entryRequest) }
  throw misuse('prompt.create', "with type: 'chat' a prompt that is a list of messages", body.prompt)
}

function entryRequest(entry: ChatMessage | ChatMessageWithPlaceholders): ChatMessageWithPlaceholders {
  if (isPlaceholder(entry)) return { type: ChatMessageType.Placeholder, name: entry.name }
  return { ...entry, type: ChatMessageType.ChatMessage } as ChatMessage
}
