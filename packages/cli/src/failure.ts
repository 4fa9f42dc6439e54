/** Ends a command with these lines for the user: what was found, and what to do. */
export class Failure extends Error {
  readonly lines: readonly string[]

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}
