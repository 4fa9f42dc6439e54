/** What is known about a failure. All of it is left out where there was no answer. */
export interface SvcBrowserErrorDetails {
  /** HTTP status. */
  readonly status?: number
  /** The body of the answer: JSON decoded, anything else as text. */
  readonly response?: unknown
  /** Why the service refused the score, in its own words. */
  readonly errors?: readonly unknown[]
  /** What was thrown underneath, for example by `fetch`. */
  readonly originalError?: unknown
}

/** The one error of this package: a wrong option, a network that failed, or a service that refused. */
export class SvcBrowserError extends Error {
  readonly status: number | undefined
  readonly response: unknown
  readonly errors: readonly unknown[] | undefined
  readonly originalError: unknown

  constructor(message: string, { status, response, errors, originalError }: SvcBrowserErrorDetails = {}) {
    super(message)
    this.name = 'SvcBrowserError'
    this.status = status
    this.response = response
    this.errors = errors
    this.originalError = originalError
  }
}
