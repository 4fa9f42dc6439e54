import { foreignText } from '@svc/core/foreign-text'
import { isFields, toJson } from '@svc/core/json'
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
export interface FilledEntry {
  readonly entry: ChatMessageOrPlaceholder | string
  /** What was given for a placeholder: a value, never a template. Undefined for the prompt's own entries. */
  readonly given?: unknown
}

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
    if (!isPlaceholder(entry)) return isMessage(entry) ? [{ entry: { role: entry.role, content: entry.content } }] : []
    const value = own(values, entry.name)
    if (value === undefined) {
      if (missing === 'is reported') complainAboutMissing(name, entry.name)
      return [{ entry }]
    }
    const filled = asArray(value)?.map((given) => ({ entry: toMessage(given), given }))
    if (filled?.every(({ entry: message }) => message !== undefined)) return filled as FilledEntry[]
    warnOnce(
      `prompt "${name}": placeholder "${entry.name}" is filled with JSON text: ` +
        'expected a list of messages with role and content.',
    )
    return [{ entry: toJson(value) ?? String(value), given: value }]
  })
}

export function isPlaceholder(entry: unknown): entry is PromptPlaceholder {
  return isFields(entry) && entry.type === ChatMessageType.Placeholder && typeof entry.name === 'string'
}

function isMessage(entry: unknown): entry is PromptMessage {
  return isFields(entry) && 'role' in entry && 'content' in entry
}

/** Roles of LangChain's messages, by their type. */
const ROLES: Readonly<Record<string, string>> = {
  ai: 'assistant',
  developer: 'developer',
  function: 'function',
  human: 'user',
  system: 'system',
  tool: 'tool',
}

/** Returns a message with role and content: the given one, or one made of a message of LangChain or of the AI SDK's UI. */
function toMessage(given: unknown): PromptMessage | undefined {
  if (isMessage(given)) return given
  if (!isFields(given)) return undefined
  const { role, parts, content } = given
  if (Array.isArray(parts) && parts.every((part) => isFields(part) && TEXT_PARTS.has(part.type))) {
    return { role, content: parts.map(({ type, text }) => (type === 'text' ? text : '')).join('') }
  }
  const type = isLangchainMessage(given) ? given.getType() : given.type
  const known = own(ROLES, String(type))
  if (known === undefined || content === undefined) return undefined
  const { tool_calls: calls, tool_call_id: id } = given
  return {
    role: known,
    content: content as string,
    ...(Array.isArray(calls) && calls.length > 0 && { tool_calls: calls.map(toToolCall) }),
    ...(id !== undefined && { tool_call_id: id }),
  }
}

/** Parts of a message of the AI SDK's UI that are its text, or go to no model. */
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'step-start', 'reasoning'])

/** Whether a value is a message of LangChain, which its templates take as it is. */
export function isLangchainMessage(value: unknown): value is { getType(): string } {
  return isFields(value) && typeof value.getType === 'function'
}

function toToolCall({ id, name, args }: Readonly<Record<string, unknown>>): object {
  return { id, type: 'function', function: { name, arguments: toJson(args) ?? '{}' } }
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

const asArray = (value: unknown) => (Array.isArray(value) ? (value as readonly unknown[]) : undefined)
