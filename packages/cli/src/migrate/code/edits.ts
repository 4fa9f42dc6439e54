/** A replacement of the text from `start` up to, but not including, `end`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Returns the text with the edits applied. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const edit of [...edits].sort((one, other) => one.start - other.start || one.end - other.end)) {
    if (edit.start < at) continue
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

/** Returns the edits that remove items of a list, with their separators. */
export function removals<Item extends { start: number; end: number }>(
  items: readonly Item[],
  leaving: (item: Item) => boolean,
): Edit[] {
  const last = items.findLastIndex((item) => !leaving(item))
  const edits = items.slice(0, Math.max(0, last)).flatMap((item, at): Edit[] => {
    const next = items[at + 1]
    return next && leaving(item) ? [{ start: item.start, end: next.start, text: '' }] : []
  })
  const [first, end] = [items[last]?.end ?? items[0]?.start, items.at(-1)?.end]
  if (first === undefined || end === undefined || last === items.length - 1) return edits
  return [...edits, { start: first, end, text: '' }]
}

/** Returns the offset in the new text for one in the old text. */
export function offsetAfter(edits: readonly Edit[], offset: number): number {
  const before = edits.filter(({ end }) => end <= offset)
  return before.reduce((at, { start, end, text }) => at + text.length - (end - start), offset)
}
