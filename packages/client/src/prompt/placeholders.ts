import { foreignText } from '@svc/core/foreign-text'
import { isFields } from '@svc/core/json'
import { warnOnce } from '@svc/core/log'
import { own } from '@svc/core/own'
import {
  type ChatMessageOrPlaceholder,
  ChatMessageType,
  type PromptMessage,
  type PromptPlaceholder,
} from './prompt-types.ts'

/** The part of a chat prompt that filling its placeholders needs. */
export interface Fillable {
  readonly name: string
  readonly prompt: readonly object[]
}

/** An entry after filling; a string if the values of a placeholder were not messages. */
export type FilledEntry = ChatMessageOrPlaceholder | string

/**
 * Returns the entries of a chat prompt with placeholders replaced by messages. Placeholders without messages, and
 * values that are not messages, are logged once for each prompt and placeholder, and stay in the result.
 */
export function fillPlaceholders(
  { name, prompt }: Fillable,
  given: unknown,
  missing: 'is reported' | 'is fine',
): FilledEntry[] {
  const values = typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : {}
  const wanted = prompt.filter(isPlaceholder).map((placeholder) => placeholder.name)
  complainAboutUnknown(name, wanted, values)
  return prompt.flatMap((entry): readonly FilledEntry[] => {
    if (!isPlaceholder(entry)) return isMessage(entry) ? [{ role: entry.role, content: entry.content }] : []
    const value = own(values, entry.name)
    if (value === undefined) {
      if (missing === 'is reported') complainAboutMissing(name, entry.name)
      return [entry]
    }
    if (Array.isArray(value) && value.every(isMessage)) return value
    warnOnce(
      `prompt "${name}": placeholder "${entry.name}" is filled with JSON text: ` +
        'expected a list of messages with role and content.',
    )
    return [jsonOf(value)]
  })
}

export function isPlaceholder(entry: unknown): entry is PromptPlaceholder {
  return isFields(entry) && entry.type === ChatMessageType.Placeholder && typeof entry.name === 'string'
}

export function isMessage(entry: unknown): entry is PromptMessage {
  return isFields(entry) && 'role' in entry && 'content' in entry
}

function complainAboutMissing(prompt: string, placeholder: string): void {
  warnOnce(
    `prompt "${prompt}": placeholder "${placeholder}" got no messages and stays in the result. ` +
      `Pass compile(variables, { ${placeholder}: […] }), or [] to remove it.`,
  )
}

function complainAboutUnknown(prompt: string, wanted: readonly string[], values: Readonly<Record<string, unknown>>) {
  for (const name of Object.keys(values).filter((key) => !wanted.includes(key))) {
    const known = wanted.length > 0 ? `it has ${wanted.join(', ')}` : 'it has none'
    warnOnce(
      `prompt "${prompt}" has no placeholder "${foreignText(name, 100)}", so its messages are not used: ${known}.`,
    )
  }
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
