import { json, text, whole } from './kinds.ts'
import type { Table } from './rows.ts'

/** Label of the newest version. No other version may have it. */
export const LATEST = 'latest'
/** Label of the version that is returned when a request names none. */
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

export function labelsOf({ version, labels }: StoredPrompt, versions: readonly StoredPrompt[]): string[] {
  const newest = versions.every((other) => other.version <= version)
  return newest ? [...labels, LATEST] : [...labels]
}
