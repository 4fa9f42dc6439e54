import { foreignText } from '@svc/core/foreign-text'

const PREFIX = '@@@svcMedia:'
const SUFFIX = '@@@'

/** The fields of a reference string. */
export interface ParsedMediaReference {
  readonly mediaId: string
  /** The original form of the media: `base64_data_uri` or `bytes`. */
  readonly source: string
  readonly contentType: string
}

/** @throws {Error} if the text is not `@@@svcMedia:type=…|id=…|source=…@@@`. */
export function parseReferenceString(text: string): ParsedMediaReference {
  if (typeof text !== 'string' || !text.startsWith(PREFIX)) {
    throw new Error(`A media reference begins with ${PREFIX}: ${formatText(text)}.`)
  }
  if (text.length < PREFIX.length + SUFFIX.length || !text.endsWith(SUFFIX)) {
    throw new Error(`A media reference ends with ${SUFFIX}: ${formatText(text)}.`)
  }
  const fields = new Map(text.slice(PREFIX.length, -SUFFIX.length).split('|').map(pair))
  const [mediaId, source, contentType] = ['id', 'source', 'type'].map((name) => fields.get(name))
  if (!mediaId || !source || !contentType) {
    throw new Error(`A media reference has type, id and source: ${formatText(text)}.`)
  }
  return { mediaId, source, contentType }
}

/** Returns a text with `change` applied to each reference in it, in one pass. */
export function withReferences(text: string, change: (reference: string) => string): string {
  return text.includes(PREFIX) ? text.replace(/@@@svcMedia:[^@]+@@@/g, change) : text
}

function pair(text: string): [string, string] {
  const cut = text.indexOf('=')
  return [text.slice(0, cut), text.slice(cut + 1)]
}

function formatText(text: unknown): string {
  return foreignText(JSON.stringify(text), 80)
}
