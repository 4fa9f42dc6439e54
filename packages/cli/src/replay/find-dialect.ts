import type { Dialect, RecordedAnswer } from './answer.ts'
import { anthropicMessages } from './dialects/anthropic.ts'
import { cohereChat } from './dialects/cohere.ts'
import { gemini } from './dialects/gemini.ts'
import { ollamaChat } from './dialects/ollama.ts'
import { openAiChat } from './dialects/openai-chat.ts'
import { openAiResponses } from './dialects/openai-responses.ts'

/** The APIs whose answers can be rebuilt from a trace. */
const DIALECTS: readonly Dialect[] = [openAiChat, openAiResponses, anthropicMessages, gemini, ollamaChat, cohereChat]

/** @param path without its query */
export const findDialect = (path: string): Dialect | undefined => DIALECTS.find((dialect) => dialect.path.test(path))

/** Whether an answer may be one of this API: both APIs of OpenAI are asked the same. */
export const isAnswerOf = (dialect: Dialect | undefined, { id }: RecordedAnswer): boolean =>
  DIALECTS.every((each) => each === dialect || !each.ids?.test(id))
