/** Values with ids that may be numbers: databases count their users. */
export type WithNumbers<T> = Omit<T, 'userId' | 'sessionId'> & {
  readonly userId?: string | number | bigint | null | undefined
  readonly sessionId?: string | number | bigint | null | undefined
}

/** The same with ids as text. What is neither text nor number is refused further on, with a word. */
export function withTextIds(values: unknown): unknown {
  if (typeof values !== 'object' || values === null) return values
  const { userId, sessionId } = values as Record<string, unknown>
  if (!isNumber(userId) && !isNumber(sessionId)) return values
  return { ...values, userId: textOf(userId), sessionId: textOf(sessionId) }
}

/** An id as text, if it is a number. */
export function textOf(id: unknown): unknown {
  return typeof id !== 'string' && isNumber(id) ? String(id) : id
}

function isNumber(id: unknown): boolean {
  return Number.isFinite(id) || typeof id === 'bigint'
}
