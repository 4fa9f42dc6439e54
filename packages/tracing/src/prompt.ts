import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { log } from '@svc/core/log'

/**
 * The attributes of a prompt reference, or none with a reason: `{name, version}` with a version that is a whole number
 * or its digits. A fallback links to nothing and is no mistake.
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
    const { name, version, isFallback } = prompt as Record<string, unknown>
    return { name, version, isFallback }
  } catch {
    // null, or a getter that throws.
    return {}
  }
}
