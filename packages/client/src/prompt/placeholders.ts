import { foreignText } from '@svc/core/foreign-text'
import { isFields, toJson } from '@svc/core/json'
import { warnOnce } from '@svc/core/log'
import { own } from '@svc/core/own'
import { misuse } from '../misuse.ts'
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
 *
 * @throws {TypeError} if `given` is no object
 */
export function fillPlaceholders(
  { name, prompt }: Fillable,
  given: unknown,
  missing: 'is reported' | 'is fine',
): FilledEntry[] {
  const values = given ?? {}
  const wanted = prompt.filter(isPlaceholder).map((placeholder) => placeholder.name)
  if (!isFields(values)) {
    const write = `compile(variables, { ${wanted[0] ?? 'history'}: […] })`
    throw misuse('compile', `the messages of each placeholder by its name, such as ${write}`, given)
  }
  complainAboutUnknown(name, wanted, values)
  return prompt.flatMap((entry): readonly FilledEntry[] => {
    if (!isPlaceholder(entry)) return isMessage(entry) ? [{ entry: { role: entry.role, content: entry.content } }] : []
    const value = own(values, entry.name)
    if (value === undefined) {
      if (missing === 'is reported') complainAboutMissing(name, entry.name)
      return [{ entry }]
    }
    const filled = asArray(value)?.map((given) => toMessages(given).map((entry) => ({ entry, given })))
    if (filled?.every((messages) => messages.length > 0)) return filled.flat()
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

/**
 * Returns the messages that a value stands for: one of OpenAI or the AI SDK as it is; those of LangChain, as objects, as
 * its stores keep them or as a pair, and those of the AI SDK's UI in the form of the others. Empty if it stands for none.
 */
function toMessages(given: unknown): readonly PromptMessage[] {
  if (Array.isArray(given)) return given.length === 2 ? langchainMessage(given[0], { content: given[1] }) : []
  if (!isFields(given)) return []
  if (isLangchainMessage(given)) return langchainMessage(given.getType(), given)
  const { role, content, parts, type, id, kwargs, data } = given
  if (typeof role === 'string' && Array.isArray(parts) && content === undefined) return uiMessages(role, parts)
  if (role !== undefined || ITEMS.test(String(type))) return [given as unknown as PromptMessage]
  // As `JSON.stringify` writes it: the name of the class is the end of `id`.
  const className = Array.isArray(id) ? /^(\w+?)Message(?:Chunk)?$/.exec(String(id.at(-1)))?.[1] : undefined
  return className ? langchainMessage(className.toLowerCase(), kwargs) : langchainMessage(type, data ?? given)
}

/** Items of OpenAI's Responses API that are no messages, but stand among them. */
const ITEMS = /^(?:\w+_call(?:_output)?|reasoning|item_reference|compaction)$/

/** Returns a message of LangChain in OpenAI's form. */
function langchainMessage(type: unknown, fields: unknown): readonly PromptMessage[] {
  const { content, role, tool_calls: calls, tool_call_id: id } = Object(fields)
  const known = own(ROLES, String(type)) ?? (Object.values(ROLES).includes(String(type)) ? type : role)
  if (known === undefined || content === undefined) return []
  const toolCalls = Array.isArray(calls) && calls.length > 0 && { tool_calls: calls.map(toToolCall) }
  return [{ role: known, content, ...toolCalls, ...(id !== undefined && { tool_call_id: id }) }]
}

/** Returns a message of the AI SDK's UI in the form of those for models: for each step its text, and the results of tools. */
function uiMessages(role: string, parts: readonly unknown[]): readonly PromptMessage[] {
  const steps: Readonly<Record<string, unknown>>[][] = [[]]
  for (const part of parts.filter(isFields)) {
    if (part.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(part)
  }
  const messages = steps.filter(({ length }) => length > 0).flatMap((step) => stepMessages(role, step))
  return messages.length > 0 ? messages : [{ role, content: '' }]
}

function stepMessages(role: string, parts: readonly Readonly<Record<string, unknown>>[]): PromptMessage[] {
  const content: object[] = []
  const results: object[] = []
  for (const { type, text, mediaType, url, filename, toolCallId, input, output, errorText, ...part } of parts) {
    const toolName = type === 'dynamic-tool' ? part.toolName : /^tool-(.+)$/.exec(String(type))?.[1]
    if (type === 'text') content.push({ type, text })
    else if (type === 'file') content.push({ type, mediaType, data: url, filename })
    if (toolName === undefined) continue
    content.push({ type: 'tool-call', toolCallId, toolName, input })
    const result =
      errorText === undefined
        ? { type: typeof output === 'string' ? 'text' : 'json', value: output }
        : { type: 'error-text', value: errorText }
    if (result.value !== undefined) results.push({ type: 'tool-result', toolCallId, toolName, output: result })
  }
  const isText = content.every((part) => 'text' in part)
  const message = { role, content: isText ? content.map((part) => Reflect.get(part, 'text')).join('') : content }
  return (results.length > 0 ? [message, { role: 'tool', content: results }] : [message]) as PromptMessage[]
}

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
