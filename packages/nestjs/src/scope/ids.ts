/** Values with ids that may be numbers: databases count their users. */
export type WithNumbers<T> = Omit<T, 'userId' | 'sessionId'> & {
  readonly userId?: string | number | bigint | null | undefined
  readonly sessionId?: string | number | bigint | null | undefined
}

/** Returns the values with ids as text. Ids that are neither text nor number are refused later, with a warning. */
export function withTextIds(values: unknown): unknown {
  if (typeof values !== 'object' || values === null) return values
  const { userId, sessionId } = values as Record<string, unknown>
  if (!isNumber(userId) && !isNumber(sessionId)) return values
  return { ...values, userId: toText(userId), sessionId: toText(sessionId) }
}

/** Returns a number as text, and anything else as it is. */
export function toText(id: unknown): unknown {
  return typeof id !== 'string' && isNumber(id) ? String(id) : id
}

function isNumber(id: unknown): boolean {
  return Number.isFinite(id) || typeof id === 'bigint'
}
