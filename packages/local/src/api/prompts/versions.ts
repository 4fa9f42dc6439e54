import { notFound } from '../../http/answer.ts'
import { LATEST, labelsOf, PRODUCTION, type StoredPrompt } from '../../store/prompt.ts'
import type { ReadStore } from '../../store/read-store.ts'
import type { Store } from '../../store/store.ts'

/** All versions of a prompt, the first one first. */
export function versionsOf(name: string, { prompts }: ReadStore): StoredPrompt[] {
  return prompts.find({ sql: 'WHERE name = ? ORDER BY version', values: [name] })
}

/** Names one of the versions of a prompt. */
export interface Choice {
  readonly version?: number | undefined
  readonly label?: string | undefined
}

/**
 * The version that is meant; without version and label the one for production.
 *
 * @throws Refusal 404 that names what was not found.
 */
export function chosen(name: string, { version, label }: Choice, versions: readonly StoredPrompt[]): StoredPrompt {
  const wanted = label ?? PRODUCTION
  const found = versions.find((prompt) =>
    version === undefined ? labelsOf(prompt, versions).includes(wanted) : prompt.version === version,
  )
  if (found) return found
  throw notFound(
    `Prompt not found: '${name}' with ${version === undefined ? `label '${wanted}'` : `version ${version}`}`,
  )
}

/** Takes labels away from all versions of a prompt but one: a label stands for one version. Inside a write. */
export function moveLabels(labels: readonly string[], to: StoredPrompt, now: number, store: Store): StoredPrompt {
  const moved = labels.filter((label) => label !== LATEST)
  for (const other of versionsOf(to.name, store)) {
    const left = other.labels.filter((label) => !moved.includes(label))
    const loses = other.version !== to.version && left.length < other.labels.length
    if (loses) store.prompts.put({ ...other, labels: left, updatedAt: now })
  }
  const changed = { ...to, labels: [...new Set([...to.labels, ...moved])], updatedAt: now }
  store.prompts.put(changed)
  return changed
}
