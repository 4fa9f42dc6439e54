import { parseJson } from '../gen-ai/parts.ts'
import { asArray, asRecord, asString, type Fields, isObject } from '../gen-ai/read.ts'
import { isFramed, readFrames } from './event-frames.ts'

/** One event of a streamed response. */
export interface BodyEvent {
  readonly fields: Fields
  /** The byte at which it begins. */
  readonly at: number
}

/** What a body says: one value, or the events of a stream. */
export type BodyContent = { readonly whole: Fields } | { readonly events: readonly BodyEvent[] }

/** A line, or what stands between two events. */
const LINE = /[^\r\n]+|(?:\r\n|\n|\r(?!\n)){2}/g
const BYTE_ORDER_MARK = '\xef\xbb\xbf'

/**
 * Reads the body of a response. What it is, its beginning says: servers and gateways send any `content-type`. Frames of
 * AWS, server-sent events, lines of JSON (Ollama), a list (Gemini without `alt=sse`), or one object.
 */
export function readBody(body: Buffer): BodyContent {
  if (isFramed(body)) return { events: readFrames(body) }
  const bytes = body.toString('latin1', 0, 3) === BYTE_ORDER_MARK ? body.subarray(3) : body
  const json = /^\s*[{[]/.test(bytes.toString('latin1', 0, 99)) ? parseJson(bytes.toString()) : undefined
  if (Array.isArray(json)) return { events: asArray(json).map((fields) => ({ fields: asRecord(fields), at: 0 })) }
  if (isObject(json)) return { whole: json }
  // A letter for each byte, so that what is found in it has the place of its bytes.
  return { events: readLines(bytes.toString('latin1')) }
}

/** What is no JSON says nothing: comments, `[DONE]`, and the end of a stream that broke. */
function readLines(letters: string): BodyEvent[] {
  const events: BodyEvent[] = []
  let type: string | undefined
  let data: { readonly text: string; readonly at: number }[] = []
  // Else each letter is a byte.
  const isAscii = Buffer.byteLength(letters) === letters.length
  const add = (text: string, at: number) => {
    if (!text.startsWith('{')) return false
    const fields = parseJson(isAscii ? text : Buffer.from(text, 'latin1').toString())
    if (!isObject(fields)) return false
    events.push({ fields: withType(fields, type), at })
    return true
  }
  const end = () => {
    const isOne = data.length > 1 && add(data.map(({ text }) => text).join('\n'), data[0]?.at ?? 0)
    // One line, or servers that leave none between events.
    if (!isOne) for (const { text, at } of data) add(text, at)
    data = []
    type = undefined
  }
  for (const { 0: line, index } of letters.matchAll(LINE)) {
    if (line.startsWith('data:')) {
      data.push({ text: line.slice(5).trim(), at: index })
    } else if (line.startsWith('event:')) {
      if (data.length > 0) end()
      type = line.slice(6).trim()
    } else if (line.trim() === '') {
      end()
    } else {
      add(line, index)
    }
  }
  end()
  return events
}

/** Some servers name the type of an event only beside its data. */
function withType(fields: Fields, type: string | undefined): Fields {
  return type === undefined || asString(fields.type) !== undefined ? fields : { ...fields, type }
}
