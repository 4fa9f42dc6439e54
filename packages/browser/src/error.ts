/** Details of a failure. Without a response, only `originalError` is set. */
export interface SvcBrowserErrorDetails {
  /** HTTP status. */
  readonly status?: number
  /** The body of the response, decoded if it is JSON, else as text. */
  readonly response?: unknown
  /** The reasons in the service's response. */
  readonly errors?: readonly unknown[]
  /** The cause, for example an error of `fetch`. */
  readonly originalError?: unknown
}

/** Thrown for an invalid option, a network failure, or a score that the service rejects. */
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
