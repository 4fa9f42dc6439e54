import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { own } from '../own.ts'
import type { Attributes, Value } from '../received.ts'
import { isMap, mapOf, numberOf, under } from './read.ts'
import { PARTS, SERVICE_NAMES } from './usage-names.ts'

/** Tokens or dollars by kind. */
export type Counts = Readonly<Record<string, number>>

/** Agents report the sum of what their model calls already reported (contract 5.4). */
export const reportsSums = (attributes: Attributes): boolean =>
  ['invoke_agent', 'agent_step'].includes(String(attributes[GEN_AI.OPERATION_NAME]))

/**
 * Tokens of a span by the service's names: `input` and `output` without the parts that are counted by themselves
 * (`input_cached_tokens`, `output_reasoning_tokens`, …), `total` over all.
 */
export function usageOf(attributes: Attributes): Counts {
  if (reportsSums(attributes)) return {}
  const stated = mapOf(attributes[ATTRIBUTE.OBSERVATION_USAGE_DETAILS])
  if (stated) return withTotal(isForeign(stated) ? normalised(flattened(stated)) : numbers(Object.entries(stated)))
  for (const prefix of PREFIXES) {
    const counts = normalised(under(attributes, prefix).filter(([name]) => name !== 'cost'))
    if (Object.keys(counts).length > 0) return withTotal(counts)
  }
  return {}
}

const PREFIXES = [GEN_AI.USAGE_PREFIX, 'llm.token_count.', 'ai.usage.']

/** Dollars of a span by kind. */
export function costOf(attributes: Attributes): Counts {
  if (reportsSums(attributes)) return {}
  const stated = mapOf(attributes[ATTRIBUTE.OBSERVATION_COST_DETAILS])
  if (stated) return numbers(Object.entries(stated))
  const total = numberOf(attributes[`${GEN_AI.USAGE_PREFIX}cost`]) ?? numberOf(attributes['llm.cost.total'])
  return total === undefined ? {} : { total }
}

/** OpenAI's own usage object, in either of its spellings; anything else already speaks the service's names. */
function isForeign(stated: Readonly<Record<string, Value>>): boolean {
  return (
    ('prompt_tokens' in stated && 'completion_tokens' in stated) ||
    ('input_tokens' in stated && 'output_tokens' in stated)
  )
}

function flattened(stated: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(stated).flatMap(([key, value]): [string, Value][] =>
    isMap(value) ? Object.entries(value).map(([part, count]) => [`${key}.${part}`, count]) : [[key, value]],
  )
}

function normalised(said: readonly [string, Value][]): Counts {
  const named = Object.entries(numbers(said)).map(([name, count]) => [own(SERVICE_NAMES, name) ?? name, count] as const)
  // Two spellings of one count on a span are the same count: the first one stays.
  const counts: Record<string, number> = Object.fromEntries(named.reverse())
  for (const [whole, parts] of Object.entries(PARTS)) {
    const total = counts[whole]
    if (total !== undefined) counts[whole] = Math.max(0, total - sum(parts.map((part) => counts[part] ?? 0)))
  }
  return counts
}

function withTotal(counts: Counts): Counts {
  if (counts.total !== undefined || Object.keys(counts).length === 0) return counts
  return { ...counts, total: sum(Object.values(counts)) }
}

function numbers(said: readonly (readonly [string, Value])[]): Record<string, number> {
  const read = said.map(([name, value]) => [name, numberOf(value)] as const)
  return Object.fromEntries(read.filter((entry): entry is [string, number] => entry[1] !== undefined && entry[1] >= 0))
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
