import { aiSdkContent } from './ai-sdk-content.ts'
import { genAiContent } from './gen-ai-content.ts'
import type { ContentOf } from './service-content.ts'

/** Longer texts stay unchanged: parsing them would block the application. */
const LIMIT = 4_000_000

/** Reads what the AI SDK 5 and 6 record with their own tracer, and what follows the GenAI conventions. */
export const contentOf: ContentOf = (attributes, scope) =>
  scope === 'ai' ? aiSdkContent(attributes, LIMIT) : genAiContent(attributes, LIMIT)

/** Only what follows the GenAI conventions: what the AI SDK 5 and 6 write, the service reads. */
export const conventionsOf: ContentOf = (attributes, scope) =>
  scope === 'ai' ? undefined : genAiContent(attributes, LIMIT)
