/** What Next and React throw to steer: redirects, not-found, prerendering that stops. Their `digest` begins with one of these. */
const STEERING = [
  'NEXT_',
  'DYNAMIC_SERVER_USAGE',
  'BAILOUT_TO_CLIENT_SIDE_RENDERING',
  'HANGING_PROMISE_REJECTION',
  'next.bubble',
]

/** Whether something was thrown to steer Next, and is no error: `redirect()`, `notFound()`, a postponed render, … */
export function isControlFlow(error: unknown): boolean {
  try {
    const { digest, code, $$typeof, bubble } = error as Record<string, unknown>
    if ($$typeof === Symbol.for('react.postpone') || bubble === true || code === 'NEXT_STATIC_GEN_BAILOUT') return true
    return typeof digest === 'string' && STEERING.some((beginning) => digest.startsWith(beginning))
  } catch {
    return false
  }
}

/** Whether something was thrown because the client went away. */
export function isAbort(error: unknown): boolean {
  try {
    const { name } = error as { name?: unknown }
    return name === 'AbortError' || name === 'ResponseAborted'
  } catch {
    return false
  }
}
