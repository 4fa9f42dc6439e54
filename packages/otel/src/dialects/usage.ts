import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'

/** Which counts are parts of the input or output, whatever an instrumentation calls them. The first match counts. */
const PARTS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/reason|thought|thinking/, GEN_AI.USAGE_REASONING_OUTPUT_TOKENS],
  [/cache.*(writ|creat)/, GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS],
  [/cache(?!.*miss)/, GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS],
]
const INPUTS = [GEN_AI.USAGE_INPUT_TOKENS, `${GEN_AI.USAGE_PREFIX}prompt_tokens`]
const OUTPUTS = [GEN_AI.USAGE_OUTPUT_TOKENS, `${GEN_AI.USAGE_PREFIX}completion_tokens`]
const TOTAL = `${GEN_AI.USAGE_PREFIX}total_tokens`

/**
 * Returns attributes with token counts under the names by which the service takes them for parts of the input or output.
 * It adds all others to the total, which then is more than the vendor counted. The same object if nothing is to be done.
 */
export function withKnownCounts(attributes: Attributes): Attributes {
  let changed: Record<string, Attributes[string]> | undefined
  for (const name in attributes) {
    if (!name.startsWith(GEN_AI.USAGE_PREFIX)) continue
    const [, known = name] = PARTS.find(([pattern]) => pattern.test(name.slice(GEN_AI.USAGE_PREFIX.length))) ?? []
    if (known === name) continue
    changed ??= { ...attributes }
    changed[known] ??= attributes[name]
    delete changed[name]
  }
  const counts = changed ?? attributes
  const count = (names: readonly string[]) =>
    names.map((name) => counts[name]).find((value) => typeof value === 'number')
  const [input, output] = [count(INPUTS), count(OUTPUTS)]
  const cached = [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS, GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]
    .map((name) => Number(counts[name] ?? 0))
    .reduce((sum, each) => sum + each, 0)
  // Some count the input without what is cached.
  const isApart = input !== undefined && cached > input
  if (!changed && !isApart) return attributes
  changed ??= { ...attributes }
  const whole = isApart ? input + cached : input
  if (isApart) changed[GEN_AI.USAGE_INPUT_TOKENS] = whole
  if (whole !== undefined && output !== undefined)
    changed[TOTAL] = isApart ? whole + output : (changed[TOTAL] ?? whole + output)
  return changed
}
