import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'

const [INPUT, OUTPUT] = [GEN_AI.USAGE_INPUT_TOKENS, GEN_AI.USAGE_OUTPUT_TOKENS]
const [READ, WRITTEN] = [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS, GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]
const TOTAL = `${GEN_AI.USAGE_PREFIX}total_tokens`

/** What a count is, whatever an instrumentation calls it. The first match counts. */
const COUNTS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/reason|thought|thinking/, GEN_AI.USAGE_REASONING_OUTPUT_TOKENS],
  [/cache.*(writ|creat)/, WRITTEN],
  [/cache(?!.*miss)/, READ],
  [/^(input|prompt)(_tokens)?$/, INPUT],
  [/^(output|completion)(_tokens)?$/, OUTPUT],
  [/^total(_tokens)?$/, TOTAL],
]

/**
 * Returns attributes with token counts under the names by which the service takes them for parts of the input or output.
 * It adds all others to the total, which then is more than the vendor counted. The same object if nothing is to be done.
 */
export function withKnownCounts(attributes: Attributes): Attributes {
  const counts: Record<string, number> = {}
  const renamed: string[] = []
  let hasOthers = false
  for (const name in attributes) {
    const count = attributes[name]
    if (typeof count !== 'number' || !name.startsWith(GEN_AI.USAGE_PREFIX)) continue
    const key = name.slice(GEN_AI.USAGE_PREFIX.length)
    const [, known] = COUNTS.find(([pattern]) => pattern.test(key)) ?? []
    if (known === undefined) hasOthers ||= key !== 'cost'
    else {
      if (known !== name) renamed.push(name)
      if (known === name || !(known in counts)) counts[known] = count
    }
  }
  const { [INPUT]: input, [OUTPUT]: output, [READ]: read = 0, [WRITTEN]: written = 0, [TOTAL]: given } = counts
  // Some count the input without what is cached.
  const isApart = input !== undefined && read + written > input
  if (isApart) counts[INPUT] = input + read + written
  if (
    input !== undefined &&
    output !== undefined &&
    ((hasOthers && given === undefined) || (isApart && given !== undefined))
  )
    counts[TOTAL] = (counts[INPUT] ?? 0) + output
  if (!hasOthers && !isApart && renamed.length === 0) return attributes
  const changed = { ...attributes }
  for (const name of renamed) delete changed[name]
  return Object.assign(changed, counts)
}
