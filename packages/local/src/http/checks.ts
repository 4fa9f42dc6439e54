import { badRequest } from './answer.ts'

/** Says why one part of a request cannot be used. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError'
}

/** Says what does not fit, and where. */
export interface Issue {
  readonly path: readonly string[]
  readonly message: string
}

/** Reads the parts of a request, and refuses it with everything in it that does not fit. */
export class Checks {
  readonly issues: Issue[] = []

  /** Returns what `read` returns; `otherwise` after an {@link ValidationError}, which is noted under `name`. */
  attempt<T>(name: string, read: () => T, otherwise: T): T {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      this.issues.push({ path: name === '' ? [] : [name], message: error.message })
      return otherwise
    }
  }

  /** @throws Refusal 400 with one issue for every part that does not fit. */
  finish(): void {
    if (this.issues.length > 0) throw badRequest(this.issues)
  }
}
