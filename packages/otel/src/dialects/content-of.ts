import { chatInput, chatMessages } from '@svc/core/chat-content'
import { aiSdkContent } from './ai-sdk-content.ts'
import { genAiContent } from './gen-ai-content.ts'
import { CONTENT_LIMIT, type ContentOf } from './service-content.ts'

const CHAT = { chatInput, chatMessages }

/** Reads what the AI SDK 5 and 6 record with their own tracer, and what follows the GenAI conventions. */
export const contentOf: ContentOf = (attributes, scope) =>
  scope === 'ai' ? aiSdkContent(attributes, CONTENT_LIMIT) : genAiContent(attributes, CONTENT_LIMIT, CHAT)
