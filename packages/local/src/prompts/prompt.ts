import { json, text, whole } from '../store/kinds.ts'
import type { Table } from '../store/rows.ts'

/** Label of the newest version, whichever that is. Nobody else may have it. */
export const LATEST = 'latest'
/** Label of the version that readers get who ask for none. */
export const PRODUCTION = 'production'

/** One version of a prompt as it is stored. Times are milliseconds since 1970. */
export interface StoredPrompt {
  readonly name: string
  readonly version: number
  readonly type: 'text' | 'chat'
  /** Text, or a list of messages and placeholders. */
  readonly prompt: unknown
  readonly config: unknown
  /** Without {@link LATEST}. */
  readonly labels: readonly string[]
  /** All versions of a prompt have the same. */
  readonly tags: readonly string[]
  readonly commitMessage: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export const PROMPTS: Table<StoredPrompt> = {
  name: 'prompts',
  columns: {
    name: text,
    version: whole,
    type: text,
    prompt: json,
    config: json,
    labels: json,
    tags: json,
    commitMessage: text,
    createdAt: whole,
    updatedAt: whole,
  },
  key: ['name', 'version'],
}

/** The labels of one of the versions of a prompt. */
export function labelsOf({ version, labels }: StoredPrompt, versions: readonly StoredPrompt[]): string[] {
  const newest = versions.every((other) => other.version <= version)
  return newest ? [...labels, LATEST] : [...labels]
}

/** `Prompt` (appendix A): a version of it, among all versions. */
export function promptShape(stored: StoredPrompt, versions: readonly StoredPrompt[]) {
  const { name, version, type, prompt, config, tags, commitMessage, createdAt, updatedAt } = stored
  return {
    name,
    version,
    type,
    prompt,
    config,
    labels: labelsOf(stored, versions),
    tags,
    commitMessage,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}
