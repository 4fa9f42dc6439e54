/** A replacement of a part of a text. */
export interface SourceEdit {
  readonly at: number
  /** How many characters are removed. */
  readonly length: number
  readonly text: string
}

/** Applies all edits at once: a copy of a long source takes a millisecond. */
export function edited(source: string, edits: readonly SourceEdit[]): string {
  if (edits.length === 0) return source
  const parts: string[] = []
  let end = 0
  for (const { at, length, text } of edits.toSorted((one, other) => one.at - other.at)) {
    parts.push(source.slice(end, at), text)
    end = at + length
  }
  return [...parts, source.slice(end)].join('')
}

/** Inserts a text after a match. */
export function after(found: RegExpMatchArray | null, text: string): SourceEdit[] {
  return found ? [{ at: (found.index ?? 0) + found[0].length, length: 0, text }] : []
}

/** Inserts texts before and after a match. */
export function around(found: RegExpMatchArray | null, before: string, behind: string): SourceEdit[] {
  return found ? [{ at: found.index ?? 0, length: 0, text: before }, ...after(found, behind)] : []
}
