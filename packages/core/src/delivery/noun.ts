/** What is delivered, for messages. */
export interface Noun {
  readonly one: string
  readonly many: string
  /** What the application does with them: `ends`. */
  readonly made: string
}

/** `1 span is`, `3 scores are`. */
export function countOf(count: number, { one, many }: Noun): string {
  return count === 1 ? `1 ${one} is` : `${count} ${many} are`
}

/** `Spans`, at the beginning of a sentence. */
export function capitalized({ many }: Noun): string {
  return many.slice(0, 1).toUpperCase() + many.slice(1)
}
