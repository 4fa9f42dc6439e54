/** What stands in the way of an import, in one line for its user: what was found, and what to do. */
export class Obstacle extends Error {
  override readonly name = 'Obstacle'
}

/** A text of elsewhere, short and without what a terminal would obey. */
export function printable(text: string, longest = 80): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

/** `1,234` */
export const counted = (count: number): string => count.toLocaleString('en-US')
