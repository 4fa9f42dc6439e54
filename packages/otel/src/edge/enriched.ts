import { genAiContent } from '../dialects/gen-ai-content.ts'
import { CONTENT_LIMIT } from '../dialects/service-content.ts'
import { enrich } from '../enrich.ts'
import type { ReadableSpan } from '../sdk.ts'
import { chat } from './chat.ts'

/** Only what follows the GenAI conventions is translated: what the AI SDK 5 and 6 write there, the service reads. */
export const enriched = (span: ReadableSpan): ReadableSpan =>
  enrich(span, (attributes, scope) => (scope === 'ai' ? undefined : genAiContent(attributes, CONTENT_LIMIT, chat)))
