import { rethrow } from '#rethrow'

/** Returns whether something was thrown to steer Next and is no error: `redirect()`, `notFound()`, a prerender that stops. */
export function isControlFlow(error: unknown): boolean {
  try {
    rethrow(error)
    return false
  } catch {
    return true
  }
}

/** Returns whether something was thrown because the client disconnected. */
export function isAbort(error: unknown): boolean {
  try {
    const { name } = error as { name?: unknown }
    return name === 'AbortError' || name === 'ResponseAborted'
  } catch {
    return false
  }
}
