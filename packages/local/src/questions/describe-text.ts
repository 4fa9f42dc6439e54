import { foreignLines, foreignText } from '@svc/core/foreign-text'
import { decoded } from '../json-text.ts'

/** What a trace contains is anybody's: every text of it comes through here before it stands in an answer. */

/** A name on one line. Marks of Markdown do nothing inside of a fence, where it stands. */
export const shownName = (text: unknown, longest = 80): string => foreignText(text ?? '', longest)

/** The id of a trace or an observation, short enough to be read and long enough to be the only one. */
export const shortId = (id: string | null): string => shownName(id, 64).slice(0, 12)

export const shownTime = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')}Z`

export function shownDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 120_000 ? `${(ms / 1_000).toFixed(2)} s` : `${Math.round(ms / 60_000)} min`
}

export const shownCost = (usd: number, isEstimated = false): string =>
  `${isEstimated ? '~' : ''}$${usd >= 0.1 || usd === 0 ? usd.toFixed(2) : usd.toPrecision(2)}`

/** Characters of a line that are kept: a report keeps 64 KiB of a text, and says nothing of the rest. */
const LONGEST_LINE = 60_000

/**
 * An input or output as lines, each behind a mark of ours, cut in the middle: messages as `role: content`, the rest as it
 * is.
 */
export function shownContent(content: unknown, longest: number): string {
  const text = cutMiddle(asText(content), longest).replace(/\r\n|[\r\u2028\u2029]/g, '\n')
  const lines = foreignLines(text, Number.POSITIVE_INFINITY).split('\n')
  return lines.map((line) => `  | ${cutMiddle(line, LONGEST_LINE).replaceAll('\n', ' ')}`).join('\n')
}

/** A text without its middle, which says how much of it is missing. */
export function cutMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text
  const half = Math.floor(longest / 2)
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`
}

/** An input or output as text. */
export function asText(content: unknown): string {
  const value = typeof content === 'string' ? decoded(content) : content
  const messages = messagesOf(value)
  if (messages) return messages.map(({ role, text }) => `${role}: ${text}`).join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

export interface ShownMessage {
  readonly role: string
  readonly text: string
}

/** The messages of an input, where it is a list of such or has one; undefined where it is not. */
export function messagesOf(value: unknown): ShownMessage[] | undefined {
  const list = Array.isArray(value) ? value : (value as { messages?: unknown } | null)?.messages
  if (!Array.isArray(list) || list.length === 0 || !list.every(isMessage)) return undefined
  return list.map(({ role, content, ...others }) => {
    const words = typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content)
    const rest = Object.keys(others).length > 0 ? JSON.stringify(others) : ''
    return { role, text: [words, rest].filter((part) => part !== '').join(' ') }
  })
}

const isMessage = (value: unknown): value is { role: string; content?: unknown } =>
  typeof value === 'object' && value !== null && typeof (value as { role?: unknown }).role === 'string'
