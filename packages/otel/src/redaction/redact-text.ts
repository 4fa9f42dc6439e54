import { lettersEnd } from '@svc/core/base64'
import { placesOf } from './json-places.ts'
import { markOf } from './mark.ts'
import type { Finder, Occurrence } from './occurrence.ts'

/** What to hide, and the word for it in its mark. */
export interface Rule {
  readonly kind: string
  readonly find: Finder
}

interface Hidden extends Occurrence {
  readonly kind: string
}

/**
 * Returns a text with marks in the place of what the rules find. Of what overlaps, that of the earlier rule is hidden.
 *
 * @param onHidden called for each value
 */
export function redactText(text: string, rules: readonly Rule[], onHidden: (kind: string) => void): string {
  const found: Hidden[] = []
  for (const [at, part] of partsOf(withoutEscapes(text))) {
    for (const { kind, find } of rules) {
      for (const { start, end, value } of find(part)) found.push({ start: at + start, end: at + end, value, kind })
    }
  }
  if (found.length === 0) return text
  const mayReplace = placesOf(text)
  let result = ''
  let from = 0
  for (const { start, end, value, kind } of withoutOverlaps(found)) {
    if (!mayReplace(start, end)) continue
    result += text.slice(from, start) + markOf(kind, value)
    from = end
    onHidden(kind)
  }
  return result + text.slice(from)
}

const MEDIA = ';base64,'

/** The text without the bytes of media, each part with its place: nothing is found in them, and they are long. */
function partsOf(text: string): readonly (readonly [at: number, part: string])[] {
  const parts: [number, string][] = []
  let from = 0
  for (let at = text.indexOf(MEDIA); at >= 0; at = text.indexOf(MEDIA, from)) {
    parts.push([from, text.slice(from, at)])
    from = lettersEnd(text, at + MEDIA.length)
  }
  return [...parts, [from, text.slice(from)]]
}

/** In the order of the text. Where two overlap, the first of the list stays. */
function withoutOverlaps(found: readonly Hidden[]): readonly Hidden[] {
  const taken: Hidden[] = []
  const byPlace = found
    .map((each, rank) => ({ each, rank }))
    .sort((a, b) => a.each.start - b.each.start || a.rank - b.rank)
  let last = { end: 0, rank: 0 }
  for (const { each, rank } of byPlace) {
    if (each.start < last.end) {
      if (rank > last.rank) continue
      taken.pop()
    }
    taken.push(each)
    last = { end: each.end, rank }
  }
  return taken
}

const ESCAPES = ['\\n', '\\r', '\\t', '\\b', '\\f']

/** The same text with blanks for what JSON writes with a letter: the n of a line break is no part of the word behind it. */
function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text
  const plain = ESCAPES.reduce((rest, each) => rest.replaceAll(each, '  '), text)
  return plain.includes('\\u') ? plain.replace(/\\u[\da-fA-F]{4}/g, '      ') : plain
}
