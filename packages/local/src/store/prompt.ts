import { json, orNull, text, texts, whole, word } from './kinds.ts'
import { type RowOf, table } from './rows.ts'

/** Label of the newest version. No other version may have it. */
export const LATEST = 'latest'
/** Label of the version that is returned when a request names none. */
export const PRODUCTION = 'production'

/** Times are milliseconds since 1970. */
export const PROMPTS = table({
  name: 'prompts',
  columns: {
    name: text,
    version: whole,
    type: word(['text', 'chat']),
    /** Text, or a list of messages and placeholders. */
    prompt: json,
    config: json,
    /** Without {@link LATEST}. */
    labels: texts,
    /** All versions of a prompt have the same. */
    tags: texts,
    commitMessage: orNull(text),
    createdAt: whole,
    updatedAt: whole,
  },
  key: ['name', 'version'],
})

/** One version of a prompt as it is stored. */
export type StoredPrompt = RowOf<typeof PROMPTS>

export function labelsOf({ version, labels }: StoredPrompt, versions: readonly StoredPrompt[]): string[] {
  const newest = versions.every((other) => other.version <= version)
  return newest ? [...labels, LATEST] : [...labels]
}
