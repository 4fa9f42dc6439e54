// What @svc/openai exported in version 5.
export interface SvcConfig {
  sessionId?: string
  userId?: string
  generationName?: string
  tags?: string[]
}
export function observeOpenAI<T extends object>(sdk: T, config?: SvcConfig): T
