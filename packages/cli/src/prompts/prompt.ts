import { createHash } from 'node:crypto'

/** A stored message of a chat prompt: role, content and other fields. */
export interface StoredMessage {
  readonly role: string
  readonly content: string
  readonly [more: string]: unknown
}

/** A placeholder for messages that are inserted later. */
export interface Placeholder {
  readonly type: 'placeholder'
  readonly name: string
}

/** The content of a version: a prompt with other content is another version. */
export type Content = { readonly config: unknown } & (
  | { readonly type: 'text'; readonly prompt: string }
  | { readonly type: 'chat'; readonly prompt: readonly (StoredMessage | Placeholder)[] }
)

/** A prompt, from a file or from the service. */
export interface Prompt {
  readonly name: string
  /** Without `latest`, which the service sets. Sorted. */
  readonly labels: readonly string[]
  readonly content: Content
}

/** Label that the service gives to the newest version. */
export const LATEST = 'latest'

export const isPlaceholder = (entry: StoredMessage | Placeholder): entry is Placeholder => !('role' in entry)

/** Returns the labels of a version that its file has, too. */
export const ownLabels = (labels: readonly string[]): string[] => labels.filter((label) => label !== LATEST).sort()

/** Returns the hash of a content for the lock file, regardless of the order of keys. */
export function hashOf({ type, prompt, config }: Content): string {
  return `sha256-${createHash('sha256').update(canonical({ type, prompt, config })).digest('base64url')}`
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join()}}`
}
