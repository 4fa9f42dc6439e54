import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'

const [INPUT, OUTPUT] = [GEN_AI.USAGE_INPUT_TOKENS, GEN_AI.USAGE_OUTPUT_TOKENS]
const [READ, WRITTEN] = [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS, GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]
const TOTAL = `${GEN_AI.USAGE_PREFIX}total_tokens`

/** What a count is, whatever an instrumentation calls it. The first match counts. */
const COUNTS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/reason|thought|thinking/, GEN_AI.USAGE_REASONING_OUTPUT_TOKENS],
  [/^(?=.*cache).*(writ|creat)/, WRITTEN],
  [/^(?!.*miss).*cache/, READ],
  [/^(input|prompt)(_tokens)?$/, INPUT],
  [/^(output|completion)(_tokens)?$/, OUTPUT],
  [/^total(_tokens)?$/, TOTAL],
]

/**
 * Returns attributes with token counts under the names by which the service takes them for parts of the input or output.
 * It adds all others to the total, which then is more than the vendor counted. The same object if nothing is to be done.
 */
export function withKnownCounts(attributes: Attributes): Attributes {
  // Asked of every span: a loop without a list is the fastest.
  let hasCounts = false
  for (const name in attributes) hasCounts ||= name.startsWith(GEN_AI.USAGE_PREFIX)
  if (!hasCounts) return attributes
  const changed: Attributes = {}
  let isChanged = false
  let hasOthers = false
  for (const name in attributes) {
    const count = attributes[name]
    const key =
      typeof count === 'number' && name.startsWith(GEN_AI.USAGE_PREFIX)
        ? name.slice(GEN_AI.USAGE_PREFIX.length)
        : 'cost'
    const known = key === 'cost' ? name : COUNTS.find(([pattern]) => pattern.test(key))?.[1]
    hasOthers ||= known === undefined
    isChanged ||= known !== name
    if (known === undefined || known === name) changed[name] = count
    else changed[known] ??= count
  }
  const { [INPUT]: input, [OUTPUT]: output } = changed
  const cached = Number(changed[READ] ?? 0) + Number(changed[WRITTEN] ?? 0)
  // Some count the input without what is cached.
  const isApart = typeof input === 'number' && cached > input
  if (!isChanged && !isApart) return attributes
  if (isApart) changed[INPUT] = input + cached
  const isTotalWrong = isApart ? TOTAL in changed : hasOthers && !(TOTAL in changed)
  if (typeof input === 'number' && typeof output === 'number' && isTotalWrong)
    changed[TOTAL] = Number(changed[INPUT]) + output
  return changed
}
