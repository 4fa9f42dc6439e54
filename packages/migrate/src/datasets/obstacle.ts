/** An error that ends an import. Its message for the user has one line: what was found, and what to do. */
export class Obstacle extends Error {
  override readonly name = 'Obstacle'
}

/** Shortens external text and removes control characters, for output to a terminal. */
export function printable(text: string, longest = 80): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

/** `1,234` */
export const counted = (count: number): string => count.toLocaleString('en-US')
