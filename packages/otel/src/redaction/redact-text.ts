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
  /** Of two that overlap, the one of the lower rank is hidden. */
  readonly rank: number
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
  for (const [rank, { kind, find, readsEscapes }] of rules.entries()) {
    if (!readsEscapes) plain ??= withoutEscapes(part)
    for (const { start, end, value, kind: own = kind } of find(readsEscapes ? part : (plain ?? ''))) {
      found.push({ start: at + start, end: at + end, value, kind: own, rank })
    }
  }
}

/** In the order of the text. */
function withoutOverlaps(found: Hidden[]): readonly Hidden[] {
  if (found.length === 1) return found
  const taken: Hidden[] = []
  let last: Hidden | undefined
  for (const each of found.sort((a, b) => a.start - b.start || a.rank - b.rank)) {
    if (last && each.start < last.end) {
      if (each.rank >= last.rank) continue
      taken.pop()
    }
    taken.push(each)
    last = each
  }
  return taken
}

/** The same text with blanks for what JSON writes with a letter: the n of a line break is no part of the word behind it. */
function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text
  const plain = text.replace(/\\[nrtbf]/g, '  ')
  return plain.includes('\\u') ? plain.replace(/\\u[\da-fA-F]{4}/g, '      ') : plain
}
