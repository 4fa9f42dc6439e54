import type { Attributes } from '@opentelemetry/api'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { log } from '@svc/core/log'

/**
 * Returns the attributes of a prompt reference `{name, version}`, whose version is an integer or its digits. Anything
 * else has no attributes and is reported to `complain`, except a fallback, which has no link.
 */
export function readPrompt(prompt: unknown, complain: (line: string) => void): Attributes {
  const { name, version, isFallback } = fieldsOf(prompt)
  if (isFallback === true) {
    log.debug('a prompt is a fallback, so no prompt is linked')
    return {}
  }
  const number = typeof version === 'string' && /^\d+$/.test(version) ? Number(version) : version
  if (typeof name === 'string' && name !== '' && typeof number === 'number' && Number.isSafeInteger(number)) {
    return { [ATTRIBUTE.OBSERVATION_PROMPT_NAME]: name, [ATTRIBUTE.OBSERVATION_PROMPT_VERSION]: number }
  }
  complain('expected a name and a version that is a whole number')
  return {}
}

function fieldsOf(prompt: unknown): { name?: unknown; version?: unknown; isFallback?: unknown } {
  try {
    const { name, version, isFallback } = (prompt ?? {}) as Record<string, unknown>
    return { name, version, isFallback }
  } catch {
    // A getter may throw.
    return {}
  }
}
