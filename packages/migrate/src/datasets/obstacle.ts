/** An error that ends an import. Its message for the user has one line: what was found, and what to do. */
export class Obstacle extends Error {
  override readonly name = 'Obstacle'
}

/** `1,234` */
export const counted = (count: number): string => count.toLocaleString('en-US')
