import { isValidSpanId, isValidTraceId, trace } from '@svc/core/api'
import { warnOnce } from '@svc/core/log'

/**
 * Returns a trace id of 32 lower-case hex digits. The same seed always gives the same id (the beginning of its
 * SHA-256), so that a trace can be found by an id of your own. Without a seed, or with an empty one, the id is random.
 *
 * Without Web Crypto digests (a web page that is not served over HTTPS) the id is random, with a warning.
 *
 * @example
 * const traceId = await createTraceId(`order-${order.id}`)
 */
export async function createTraceId(seed?: string): Promise<string> {
  if (seed === undefined || seed === null || seed === '') return randomTraceId()
  try {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(String(seed)))
    return hex(new Uint8Array(digest)).slice(0, 32)
  } catch {
    warnOnce('createTraceId returns a random id, because this runtime cannot hash the seed (crypto.subtle).')
    return randomTraceId()
  }
}

/** Returns the trace id of the active span; undefined if there is none. */
export function getActiveTraceId(): string | undefined {
  const id = trace.getActiveSpan()?.spanContext().traceId
  return id !== undefined && isValidTraceId(id) ? id : undefined
}

/** Returns the id of the active span, which is the id of the active observation; undefined if there is none. */
export function getActiveSpanId(): string | undefined {
  const id = trace.getActiveSpan()?.spanContext().spanId
  return id !== undefined && isValidSpanId(id) ? id : undefined
}

function randomTraceId(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)))
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
