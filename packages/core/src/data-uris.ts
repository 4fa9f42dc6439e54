import { base64End, lettersEnd, padsAt } from './base64.ts'

/** Media in a text, and their position. */
export interface Embedded {
  readonly start: number
  readonly end: number
  /** Media type without parameters, lower case. */
  readonly contentType: string
  /** Standard or URL-safe, without line breaks. */
  readonly base64: string
  /** The form in the text, for the tag. */
  readonly source: 'base64_data_uri' | 'bytes'
}

/** What the data URIs of base64 contain. */
const MARKER = ';base64,'
const MARKERS = /;base64,/gi
// Longer than any media type with parameters; limits the search for the beginning.
const LONGEST_HEADER = 256
const HEADER = /^(?<type>[\w!#$&^.+-]+\/[\w!#$&^.+-]+)?(?:;[\w!#$&^.+-]+=[\w!#$&^.+%[\]:@-]+)*$/

/** A line break in a payload, as it is or as JSON writes it, with the indentation of the next line. */
const BREAK = /[ \t]{0,40}(?:\r?\n|(?:\\{1,8}r)?\\{1,8}n)(?:[ \t]|\\{1,8}t){0,40}/y
/** What may follow a line that is nothing but base64. */
const AFTER_LINE = /[\r\n"'`\\)\]>]/
/** Encoders write lines of 60 to 76 letters, of which the last is shorter; other lines of few letters are words. */
const SHORTEST_LINE = 16
const ENCODED_LINE = { shortest: 60, longest: 76 }

/** A cheap first test of a text. */
export function mayHoldDataUri(text: string): boolean {
  return text.includes(MARKER) || text.includes(';BASE64,')
}

/**
 * Returns the base64 data URIs (RFC 2397) in a text, also with media-type parameters, URL-safe base64, and line breaks in
 * the payload. A plain `data:` before one, as in server-sent events, is not part of it. Reads the text once.
 */
export function dataUrisIn(text: string): Embedded[] {
  if (!mayHoldDataUri(text)) return []
  const found: Embedded[] = []
  let from = 0
  for (const { index } of text.matchAll(MARKERS)) {
    if (index < from) continue
    const embedded = dataUriAround(text, index, from)
    if (embedded) found.push(embedded)
    from = embedded?.end ?? index + MARKER.length
  }
  return found
}

function dataUriAround(text: string, marker: number, from: number): Embedded | undefined {
  const before = text.slice(Math.max(from, marker - LONGEST_HEADER), marker)
  const scheme = before.toLowerCase().lastIndexOf('data:')
  if (scheme < 0) return undefined
  const header = HEADER.exec(before.slice(scheme + 'data:'.length))
  const payload = header && payloadAt(text, marker + MARKER.length)
  if (!payload) return undefined
  return {
    start: marker - (before.length - scheme),
    end: payload.end,
    contentType: (header.groups?.type ?? 'text/plain').toLowerCase(),
    base64: payload.base64,
    source: 'base64_data_uri',
  }
}

/** Returns the whole payload, over all of its lines, or none of it. */
function payloadAt(text: string, start: number): { readonly end: number; readonly base64: string } | undefined {
  const lines: string[] = []
  let end = start
  for (let next: number | undefined = start; next !== undefined; next = nextLine(text, end, lines)) {
    end = lettersEnd(text, next)
    lines.push(text.slice(next, end))
  }
  const letters = lines.join('')
  const pads = padsAt(text, end, (4 - (letters.length % 4)) % 4)
  const base64 = `${letters}${'='.repeat(pads)}`
  if (letters === '' || base64End(base64, 0) !== base64.length) return undefined
  return { end: end + pads, base64 }
}

/** Returns where the payload goes on in the next line of the text; undefined where it does not. */
function nextLine(text: string, end: number, lines: readonly string[]): number | undefined {
  BREAK.lastIndex = end
  const [lineBreak] = BREAK.exec(text) ?? []
  if (lineBreak === undefined) return undefined
  const start = end + lineBreak.length
  const stop = lettersEnd(text, start)
  const pads = padsAt(text, stop, 2)
  const after = text[stop + pads]
  const isLine = stop > start && (after === undefined || AFTER_LINE.test(after))
  const { length } = lines.at(-1) ?? ''
  const isEncoded = length >= ENCODED_LINE.shortest && length <= ENCODED_LINE.longest
  return isLine && (stop - start >= SHORTEST_LINE || pads > 0 || isEncoded) ? start : undefined
}
