import { createHash } from 'node:crypto'

/** A message of a chat as it is stored: role, content, and what else it holds. */
export interface Message {
  readonly role: string
  readonly content: string
  readonly [more: string]: unknown
}

/** Where messages go that are only known later. */
export interface Placeholder {
  readonly type: 'placeholder'
  readonly name: string
}

/** What a version of a prompt is made of, and what makes a new version where it differs. */
export type Content = { readonly config: unknown } & (
  | { readonly type: 'text'; readonly prompt: string }
  | { readonly type: 'chat'; readonly prompt: readonly (Message | Placeholder)[] }
)

/** A prompt, whether it is from a file or from the service. */
export interface Prompt {
  readonly name: string
  /** Without `latest`, which nobody gives. In order of the alphabet. */
  readonly labels: readonly string[]
  readonly content: Content
}

/** Label of the newest version, whichever that is. */
export const LATEST = 'latest'

export const isPlaceholder = (entry: Message | Placeholder): entry is Placeholder => !('role' in entry)

/** The labels that a file has of those that a version has. */
export const ownLabels = (labels: readonly string[]): string[] => labels.filter((label) => label !== LATEST).sort()

/** By what the lock file knows a content again: the same whatever the order of keys. */
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
