import { base64End } from './base64.ts'

/** Media in a text, and their position. */
export interface Embedded {
  readonly start: number
  readonly end: number
  /** Media type without parameters, lower case. */
  readonly contentType: string
  /** Standard or URL-safe. */
  readonly base64: string
  /** The form in the text, for the tag. */
  readonly source: 'base64_data_uri' | 'bytes'
}

/** What the data URIs of base64 contain: to look for it is a cheap first test of a text. */
export const DATA_URI_MARKER = ';base64,'
// Longer than any media type with parameters; limits the search for the beginning.
const LONGEST_HEADER = 256
const HEADER = /^(?<type>[\w!#$&^.+-]+\/[\w!#$&^.+-]+)?(?:;[\w!#$&^.+-]+=[\w!#$&^.+%-]+)*$/

/**
 * Returns the base64 data URIs (RFC 2397) in a text, also with media-type parameters and URL-safe base64. A plain
 * `data:` before one, as in server-sent events, is not part of it. Reads the text once.
 */
export function dataUrisIn(text: string): Embedded[] {
  const found: Embedded[] = []
  let from = 0
  for (let marker = text.indexOf(DATA_URI_MARKER); marker >= 0; marker = text.indexOf(DATA_URI_MARKER, from)) {
    const embedded = dataUriAround(text, marker, from)
    if (embedded) found.push(embedded)
    from = embedded ? embedded.end : marker + DATA_URI_MARKER.length
  }
  return found
}

function dataUriAround(text: string, marker: number, from: number): Embedded | undefined {
  const before = text.slice(Math.max(from, marker - LONGEST_HEADER), marker)
  const scheme = before.lastIndexOf('data:')
  if (scheme < 0) return undefined
  const header = HEADER.exec(before.slice(scheme + 'data:'.length))
  if (!header) return undefined
  const payload = marker + DATA_URI_MARKER.length
  const end = base64End(text, payload)
  if (end === payload) return undefined
  return {
    start: marker - (before.length - scheme),
    end,
    contentType: (header.groups?.type ?? 'text/plain').toLowerCase(),
    base64: text.slice(payload, end),
    source: 'base64_data_uri',
  }
}
