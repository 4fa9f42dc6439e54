import type {
  ChatMessage,
  ChatMessageWithPlaceholders,
  CreateChatPromptRequest,
  CreatePromptRequest,
  CreateTextPromptRequest,
} from '../api/types/prompts.ts'
import { isPlaceholder } from './placeholders.ts'
import { ChatMessageType } from './prompt-types.ts'

/** A chat prompt to store. Messages need no `type`; placeholders are `{ type: 'placeholder', name }`. */
export interface CreateChatPromptBody extends Omit<CreateChatPromptRequest, 'prompt'> {
  prompt: readonly (ChatMessage | ChatMessageWithPlaceholders)[]
}

/** What is sent to store a prompt: every entry of a chat says what it is. */
export function createRequest(body: CreateTextPromptRequest | CreateChatPromptBody): CreatePromptRequest {
  if (body.type !== 'chat') return { ...body, type: 'text' }
  // What is no list is for the service to refuse, with its reason.
  return Array.isArray(body.prompt) ? { ...body, prompt: body.prompt.map(entryRequest) } : (body as CreatePromptRequest)
}

function entryRequest(entry: ChatMessage | ChatMessageWithPlaceholders): ChatMessageWithPlaceholders {
  if (isPlaceholder(entry)) return { type: ChatMessageType.Placeholder, name: entry.name }
  return { ...entry, type: ChatMessageType.ChatMessage } as ChatMessage
}
