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

const LINE = /[^\r\n]+/g

/**
 * Reads the body of a response. What it is, its beginning says: servers and gateways send any `content-type`. Frames of
 * AWS, server-sent events, lines of JSON (Ollama), a list (Gemini without `alt=sse`), or one object.
 */
export function readBody(bytes: Buffer): BodyContent {
  if (isFramed(bytes)) return { events: readFrames(bytes) }
  const json = /^\s*[{[]/.test(bytes.toString('latin1', 0, 99)) ? parseJson(bytes.toString()) : undefined
  if (Array.isArray(json)) return { events: asArray(json).map((fields) => ({ fields: asRecord(fields), at: 0 })) }
  if (isObject(json)) return { whole: json }
  // A letter for each byte, so that what is found in it has the place of its bytes.
  return { events: readLines(bytes.toString('latin1')) }
}

/** A line that is no JSON says nothing: comments, `[DONE]`, and the end of a stream that broke. */
function readLines(letters: string): BodyEvent[] {
  const events: BodyEvent[] = []
  let type: string | undefined
  for (const { 0: line, index } of letters.matchAll(LINE)) {
    if (line.startsWith('event:')) {
      type = line.slice(6).trim()
      continue
    }
    const data = line.startsWith('data:') ? line.slice(5).trim() : line
    const fields = data.startsWith('{') ? parseJson(Buffer.from(data, 'latin1').toString()) : undefined
    if (isObject(fields)) events.push({ fields: withType(fields, type), at: index })
    type = undefined
  }
  return events
}

/** Some servers name the type of an event only beside its data. */
function withType(fields: Fields, type: string | undefined): Fields {
  return type === undefined || asString(fields.type) !== undefined ? fields : { ...fields, type }
}
