import type { UIMessage } from 'ai'

/** A message of the chat. An answer comes with the id of its trace, for the thumbs. */
export type ChatMessage = UIMessage<{ traceId?: string | undefined }>

export function textOf({ parts }: ChatMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
