import { foreignText } from '@svc/core/foreign-text'
import { QuestionError } from '../questions/index.ts'

/** A failure as the agent reads it, which can ask better. @throws what neither the question nor the service explains */
export function failureOf(error: unknown) {
  const isExplained = error instanceof Error && (error instanceof QuestionError || 'statusCode' in error)
  if (!isExplained) throw error
  return { isError: true, content: [{ type: 'text' as const, text: foreignText(error.message, 1_000) }] }
}
