import { observeOpenAI, type SvcConfig } from '@svc/openai'
import { SvcVercelAiSdkIntegration } from "@svc/vercel-ai-sdk"
import type { SvcPrompt } from '@svc/vercel-ai-sdk'
import {
  configureGlobalLogger,
  DatasetStatus,
  Error as BadRequest,
  LogLevel,
  type CreateScoreRequest,
  type Prompt,
} from '@svc/core'
import type { legacy } from '@svc/core'
export { SvcAPIError as ApiError, type Dataset } from '@svc/core'
export * from '@svc/openai'

const config: SvcConfig = { sessionId: 'trip-7' }
export const openai = observeOpenAI({ chat: 1 }, config)
export const integration = new SvcVercelAiSdkIntegration()
export const used: SvcPrompt = { name: 'movie-critic', version: 1 }
configureGlobalLogger({ level: LogLevel.WARN })
export const scores: CreateScoreRequest[] = []
export const old: legacy.CreateScoreRequest[] = scores
export const isBad = (error: unknown) => error instanceof BadRequest && DatasetStatus.Active
export function textOf(prompt: Prompt.Chat | Prompt.Text) {
  return prompt.name
}
