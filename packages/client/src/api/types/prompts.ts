import type { Moment, PageOf, PageRequest, ValueOf } from './pages.ts'

export type PromptMetaListResponse = PageOf<PromptMeta>

/** A prompt in a listing, with all its versions, labels and tags. */
export interface PromptMeta {
  name: string
  type: PromptType
  versions: number[]
  labels: string[]
  tags: string[]
  lastUpdatedAt: string
  lastConfig: unknown
}

/** A new version of a text or chat prompt; the first version of a name is 1. */
export type CreatePromptRequest = CreateChatPromptRequest | CreateTextPromptRequest

export interface CreatePromptVersion {
  name: string
  config?: unknown
  labels?: readonly string[] | undefined
  tags?: readonly string[] | undefined
  commitMessage?: string | undefined
}

export interface CreateChatPromptRequest extends CreatePromptVersion {
  prompt: readonly ChatMessageWithPlaceholders[]
  type: CreateChatPromptType
}

export interface CreateTextPromptRequest extends CreatePromptVersion {
  prompt: string
  type?: CreateTextPromptType | undefined
}

/** A version of a prompt. */
export type Prompt = (ChatPrompt & { type: 'chat' }) | (TextPrompt & { type: 'text' })

export const PromptType = { Chat: 'chat', Text: 'text' } as const
export type PromptType = ValueOf<typeof PromptType>

export interface BasePrompt {
  name: string
  version: number
  config: unknown
  labels: string[]
  tags: string[]
  commitMessage?: string
  resolutionGraph?: Record<string, unknown>
}

/** A message, or a placeholder for messages. */
export type ChatMessageWithPlaceholders = ChatMessage | PlaceholderMessage

export interface ChatMessage {
  role: string
  content: string
  type?: ChatMessageType
}

export const ChatMessageType = { Chatmessage: 'chatmessage' } as const
export type ChatMessageType = ValueOf<typeof ChatMessageType>

/** Placeholder that `compile` replaces by the messages with this name. */
export interface PlaceholderMessage {
  name: string
  type?: PlaceholderMessageType
}

export const PlaceholderMessageType = { Placeholder: 'placeholder' } as const
export type PlaceholderMessageType = ValueOf<typeof PlaceholderMessageType>

export interface TextPrompt extends BasePrompt {
  prompt: string
}

export interface ChatPrompt extends BasePrompt {
  prompt: ChatMessageWithPlaceholders[]
}

export const CreateChatPromptType = { Chat: 'chat' } as const
export type CreateChatPromptType = ValueOf<typeof CreateChatPromptType>

export const CreateTextPromptType = { Text: 'text' } as const
export type CreateTextPromptType = ValueOf<typeof CreateTextPromptType>

export interface GetPromptRequest {
  version?: number | undefined
  /** Default `production`, unless `version` is set. */
  label?: string | undefined
  /** Whether references to other prompts are replaced by their content. */
  resolve?: boolean | undefined
}

export interface ListPromptsRequest extends PageRequest {
  name?: string | undefined
  label?: string | undefined
  tag?: string | undefined
  fromUpdatedAt?: Moment | undefined
  toUpdatedAt?: Moment | undefined
}

/** Without both, all versions are deleted. */
export interface DeletePromptRequest {
  label?: string | undefined
  version?: number | undefined
}

export interface UpdatePromptVersionRequest {
  /** Labels that this version takes over from the others. */
  newLabels: readonly string[]
}
