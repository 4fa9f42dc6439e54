import { FAILED_TO_SERIALIZE, toMetadataText } from '@svc/core/json'
import { problemOfScore } from '@svc/core/score'

/** A score that goes out as this text, or the reason why it does not. */
export type Checked = { readonly text: string } | { readonly problem: string }

const FAILED = JSON.stringify(FAILED_TO_SERIALIZE)

/** Whether the service can take a score (contract 3.2), and how it is written: what changes later does not change it. */
export function checkScore(score: Readonly<Record<string, unknown>>): Checked {
  const problem = problemOfScore(score)
  if (problem !== undefined) return { problem }
  const text = toMetadataText(score)
  if (text === undefined || text === FAILED)
    return { problem: 'it cannot be written as JSON (a cycle in its metadata?)' }
  return { text }
}
