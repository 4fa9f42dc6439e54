/** How the `digest` of errors begins by which Next and React steer: redirects, not-found, prerendering that stops. */
const STEERING = ['NEXT_', 'DYNAMIC_SERVER_USAGE', 'BAILOUT_TO_CLIENT_SIDE_RENDERING', 'HANGING_PROMISE_REJECTION']

/**
 * Throws what was thrown to steer Next, and nothing else: for where Next's own function cannot be had, such as tests of
 * an application.
 */
export function rethrow(error: unknown): void {
  const { digest } = (error ?? {}) as { digest?: unknown }
  if (typeof digest === 'string' && STEERING.some((beginning) => digest.startsWith(beginning))) throw error
}
