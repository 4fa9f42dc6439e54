import { lettersEnd } from '@svc/core/base64'
import { quotesIn } from './json-places.ts'
import { markOf } from './mark.ts'
import type { Finder, Occurrence } from './occurrence.ts'

/** What to hide, and the word for it in its mark. */
export interface Rule {
  readonly kind: string
  readonly find: Finder
  /** Whether it knows itself what is an escape of JSON. */
  readonly readsEscapes?: boolean
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
  for (let from = 0; from < text.length; ) {
    const media = text.indexOf(MEDIA, from)
    const part = from === 0 && media < 0 ? text : text.slice(from, media < 0 ? undefined : media)
    search(part, from, rules, found)
    // Nothing is found in the bytes of media, and they are long.
    from = media < 0 ? text.length : lettersEnd(text, media + MEDIA.length)
  }
  if (found.length === 0) return text
  const quotesAt = quotesIn(text)
  let result = ''
  let from = 0
  for (const { start, end, value, kind } of withoutOverlaps(found)) {
    const quotes = quotesAt(start, end)
    if (quotes === undefined) continue
    result += text.slice(from, start) + quotes + markOf(kind, value) + quotes
    from = end
    onHidden(kind)
  }
  return result + text.slice(from)
}

const MEDIA = ';base64,'

function search(part: string, at: number, rules: readonly Rule[], found: Hidden[]): void {
  let plain: string | undefined
  for (const { kind, find, readsEscapes } of rules) {
    if (!readsEscapes) plain ??= withoutEscapes(part)
    for (const { start, end, value } of find(readsEscapes ? part : (plain ?? ''))) {
      found.push({ start: at + start, end: at + end, value, kind })
    }
  }
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

/** The same text with blanks for what JSON writes with a letter: the n of a line break is no part of the word behind it. */
function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text
  const plain = text.replace(/\\[nrtbf]/g, '  ')
  return plain.includes('\\u') ? plain.replace(/\\u[\da-fA-F]{4}/g, '      ') : plain
}
