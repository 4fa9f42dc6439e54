import { findNumberText } from '../../exact-json.ts'
import { decoded, decodedExactly } from '../../json-text.ts'
import type { ReadStore } from '../../store/read-store.ts'
import { chatContentOf } from '../chat/view.ts'
import { isMap } from '../map/read.ts'

/** What tells a trace from others of its name: the last message of the user, and the answer, each as one short line. */
export interface Preview {
  readonly question: string | null
  readonly answer: string | null
}

const SHOWN = 160
/** Bytes of an input or output that are read as JSON for it; of a longer one the beginning is shown as text. */
const READ = 50_000
const half = (column: string) =>
  `CASE WHEN octet_length(${column}) > ${READ} THEN substr(${column}, 1, ${SHOWN}) ELSE ${column} END AS ${column}`

/** The observation that a trace is read by: its root, or when that has neither input nor output the first that has one. */
export const LEADING =
  'traceId = ? AND (input IS NOT NULL OR output IS NOT NULL) ORDER BY root DESC, startTime, seq LIMIT 1'

export function previewOf(traceId: string, store: ReadStore): Preview {
  const [row] = store.query({
    sql: `SELECT name, metadata, ${half('input')}, ${half('output')} FROM observations WHERE ${LEADING}`,
    values: [traceId],
  })
  if (!row) return { question: null, answer: null }
  const input = row.input as string | null
  const output = row.output as string | null
  const metadata = decoded(String(row.metadata))
  const viewed = { name: String(row.name), metadata: isMap(metadata) ? metadata : {}, input, output }
  const line = (text: string | null, isWanted: (role: unknown) => boolean) => {
    if (text === null) return null
    const messages = chatContentOf(viewed, text, decodedExactly)?.messages.filter(isMap)
    const content = messages ? messages.findLast(({ role }) => isWanted(role)) : decodedExactly(text)
    return shortened(readText(content))
  }
  return { question: line(input, (role) => role === 'user'), answer: line(output, () => true) }
}

/** The text of a message, of a list of parts, or of any other value. */
function readText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(readText).filter(Boolean).join(' ')
  if (!isMap(value)) return value === null || value === undefined ? '' : (findNumberText(value) ?? String(value))
  const [only, ...others] = Object.values(value)
  // `{ question: '…' }` is the question.
  if (others.length === 0) return readText(only)
  return readText(value.content ?? value.text ?? '') || readText(value.tool_calls ?? '') || JSON.stringify(value)
}

const shortened = (text: string) =>
  text
    .slice(0, 2 * SHOWN)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, SHOWN) || null
