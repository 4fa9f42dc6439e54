import { FAILED_TO_SERIALIZE, toMetadataText } from '@svc/core/json'

/** A score that goes out as this text, or the reason why it does not. */
export type Checked = { readonly text: string } | { readonly problem: string }

const FAILED = JSON.stringify(FAILED_TO_SERIALIZE)

/** Whether the service can take a score (contract 3.2), and how it is written: what changes later does not change it. */
export function checkScore(score: Readonly<Record<string, unknown>>): Checked {
  const { name, value } = score
  if (typeof name !== 'string' || name === '') return { problem: `its name is ${shown(name)}, expected a text` }
  if (typeof value !== 'string' && !Number.isFinite(value)) {
    return { problem: `its value is ${shown(value)}, expected a finite number or a text` }
  }
  const text = toMetadataText(score)
  if (text === undefined || text === FAILED)
    return { problem: 'it cannot be written as JSON (a cycle in its metadata?)' }
  return { text }
}

function shown(value: unknown): string {
  if (value === '') return 'empty'
  if (typeof value === 'number' || value === null || value === undefined) return String(value)
  return `of type ${typeof value}`
}
