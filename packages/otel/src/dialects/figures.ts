import type { Attributes, AttributeValue } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import type { ReadableSpan } from '../sdk.ts'

// Figures of the service's dialect in the GenAI conventions.

/** The conventions include cached tokens in the input, and reasoning tokens in the output. */
export function usageAttributes(value: AttributeValue): Attributes {
  const counts = Object.entries(fieldsIn(value)).flatMap(([kind, count]) =>
    typeof count === 'number' ? [[kind, count] as const] : [],
  )
  const sum = (kinds: RegExp) => {
    const found = counts.filter(([kind]) => kinds.test(kind))
    return found.length > 0 ? found.reduce((total, [, count]) => total + count, 0) : undefined
  }
  const words = {
    [GEN_AI.USAGE_INPUT_TOKENS]: sum(/^input/),
    [GEN_AI.USAGE_OUTPUT_TOKENS]: sum(/^output/),
    [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS]: sum(/^input_cached_tokens$/),
    [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]: sum(/^input_cache_creation/),
    [GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]: sum(/^output_reasoning_tokens$/),
  }
  return Object.fromEntries(Object.entries(words).filter(([, count]) => count !== undefined))
}

/** Returns the time to the first chunk, from the time at which output came. */
export function firstChunk(value: AttributeValue, { startTime }: ReadableSpan): Attributes {
  const at = Date.parse(String(value).replaceAll('"', ''))
  const seconds = at / 1_000 - startTime[0] - startTime[1] / 1e9
  return seconds >= 0 ? { [GEN_AI.RESPONSE_TIME_TO_FIRST_CHUNK]: seconds } : {}
}

/** Returns the fields of an object that is written as JSON; throws for what is none. */
export function fieldsIn(value: AttributeValue): Readonly<Record<string, unknown>> {
  const fields: unknown = JSON.parse(String(value))
  return typeof fields === 'object' && fields !== null ? (fields as Readonly<Record<string, unknown>>) : {}
}
