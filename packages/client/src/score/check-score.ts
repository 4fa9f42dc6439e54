import { toJson } from '@svc/core/json'
import { problemOfScore } from '@svc/core/score'

/** A score as JSON, or the reason why it is invalid. */
export type Checked = { readonly text: string } | { readonly problem: string }

/** Validates a score (contract 3.2) and serializes it at once, so that later changes have no effect. */
export function checkScore(score: Readonly<Record<string, unknown>>): Checked {
  const problem = problemOfScore(score)
  if (problem !== undefined) return { problem }
  return { text: toJson(score) ?? '' }
}
