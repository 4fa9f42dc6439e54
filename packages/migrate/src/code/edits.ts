/** What takes the place of a piece of a text: from `start` up to, and without, `end`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with its edits made. Everything between them stays as it is. */
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
