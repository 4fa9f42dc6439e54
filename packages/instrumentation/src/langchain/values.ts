import { attempt } from '@svc/core/attempt'
import { ownFields } from '@svc/core/own'
import { toBoundedJson } from '../gen-ai/bounded-json.ts'
import { type Fields, isObject } from '../gen-ai/read.ts'
import { isMessage, type LangChainMessage, readMessage, toSimpleMessage } from './messages.ts'

const DEPTH_LIMIT = 8
/** Most values that are searched for messages; the rest is recorded as it is. */
const SIZE_LIMIT = 10_000
/** Longer texts are bounded. */
const SHORT = 1_000

/** How values are formatted. */
export interface ValueForm {
  /** Formats a message at any depth. */
  message(message: LangChainMessage): unknown
  /**
   * Returns the part that represents the whole value.
   *
   * @param given the value before its messages were formatted
   */
  unwrap(value: unknown, given: unknown): unknown
}

/** A list of messages is recorded without its only key, and so is the only `content` or `output`. */
const SIMPLE: ValueForm = { message: toSimpleMessage, unwrap }

/** Returns the input or output of a chain, tool or retriever as text. */
export function valueText(value: unknown, form: ValueForm = SIMPLE): string | undefined {
  if (value === undefined || value === null) return undefined
  const plain = form.unwrap(simplify(value, 0, { remaining: SIZE_LIMIT, form }), value)
  if (plain === undefined || plain === null) return undefined
  return typeof plain === 'string' ? boundedText(plain) : toBoundedJson(plain)
}

/** Returns the value with its messages as `{role, content}`. */
export function plainValue(value: unknown): unknown {
  return simplify(value, 0, { remaining: SIZE_LIMIT, form: SIMPLE })
}

function boundedText(text: string): string {
  return text.length <= SHORT ? text : String(JSON.parse(toBoundedJson(text)))
}

function unwrap(value: unknown): unknown {
  const [entry, ...more] = isObject(value) && !Array.isArray(value) ? Object.entries(value) : []
  if (!entry || more.length > 0) return value
  const [key, inner] = entry
  if (key === 'output') return inner
  if (key === 'content' && typeof inner === 'string') return inner
  return (key === 'messages' || key === 'input') && Array.isArray(inner) && inner.every(isSimple) ? inner : value
}

function isSimple(value: unknown): boolean {
  return isObject(value) && 'role' in value && 'content' in value
}

interface ValueBudget {
  remaining: number
  readonly form: ValueForm
}

function simplify(value: unknown, depth: number, budget: ValueBudget): unknown {
  budget.remaining -= 1
  if (!isObject(value) || depth > DEPTH_LIMIT || budget.remaining < 0) return value
  if (isMessage(value)) return budget.form.message(readMessage(value))
  const simplifyInner = (item: unknown) => simplify(item, depth + 1, budget)
  if (Array.isArray(value)) return value.map(simplifyInner)
  // The result of a prompt template: its messages are all it contains.
  if (value.lc_serializable === true && Array.isArray(value.messages)) return simplifyInner(value.messages)
  if (!isPlain(value)) return isCommand(value) ? simplifyInner(attempt('read a command', () => value.toJSON())) : value
  const result: Record<string, unknown> = ownFields({})
  for (const key of Object.keys(value)) result[key] = simplifyInner(value[key])
  return result
}

/** Returns whether this is LangGraph's `Command`: where to go next, with messages to pass. */
function isCommand(value: Fields): value is Fields & { toJSON(): unknown } {
  return typeof value.lg_name === 'string' && typeof value.toJSON === 'function'
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
