import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { isNumber, writeText } from '../../exact-json.ts'
import type { Attributes, ReceivedSpan, Value } from '../../store/received.ts'
import { arrayOf, isMap, mapOf, numberOf, under, type ValueMap } from './read.ts'
import { aiSdkUsage } from './usage-ai-sdk.ts'
import { PARTS, SPELLINGS } from './usage-names.ts'

/** Tokens or dollars by kind. */
export type UsageCounts = Readonly<Record<string, number>>
/** Counts as they were found, before anything that is no count is left out. */
export type RawCounts = Readonly<Record<string, Value | undefined>>

/** Agents report the sum of what their model calls already reported: model, usage and cost of theirs are dropped. */
export const reportsSums = (attributes: Attributes): boolean =>
  ['invoke_agent', 'agent_step'].includes(writeText(attributes[GEN_AI.OPERATION_NAME]))

/** Tokens of a span by the service's names: from the first source that has some, depending on the scope. */
export function usageOf(span: ReceivedSpan): UsageCounts {
  if (reportsSums(span.attributes)) return {}
  const counts = Object.fromEntries(
    Object.entries(rawUsageOf(span)).flatMap(([name, value]): [string, number][] => {
      const count = numberOf(value)
      return count !== undefined && Number.isInteger(count) && count >= 0 ? [[name, count]] : []
    }),
  )
  if (counts.total !== undefined || Object.keys(counts).length === 0) return counts
  return { ...counts, total: sum(Object.values(counts)) }
}

function rawUsageOf({ attributes, scope }: ReceivedSpan): RawCounts {
  const stated = statedUsage(attributes[ATTRIBUTE.OBSERVATION_USAGE_DETAILS])
  if (stated) return stated
  if (scope.name === 'genkit-tracer') return genkitUsage(attributes)
  if (scope.name === 'ai') return aiSdkUsage(attributes) ?? genericUsage(attributes)
  if (scope.name !== 'gcp.vertex.agent') return genericUsage(attributes)
  const blob = mapOf(mapOf(attributes['gcp.vertex.agent.llm_response'])?.usage_metadata)
  const cached = blob?.cached_content_token_count
  return genericUsage(
    cached === undefined ? attributes : { ...attributes, [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS]: cached },
  )
}

/** Valid JSON ends the search, even if it is no object; text that is no JSON does not. */
function statedUsage(value: Value | undefined): RawCounts | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const usage = mapOf(value)
  if (usage) return openAiUsage(usage) ?? usage
  return typeof value === 'string' && arrayOf(value) === undefined && numberOf(value) === undefined ? undefined : {}
}

const OPEN_AI = [
  { input: 'prompt_tokens', output: 'completion_tokens' },
  { input: 'input_tokens', output: 'output_tokens' },
] as const

/** Reads an object that has exactly the keys of OpenAI's own usage object. One more key, and it is taken as it is. */
function openAiUsage(usage: ValueMap): RawCounts | undefined {
  const names = OPEN_AI.find(({ input, output }) => {
    const counts = [input, output, 'total_tokens']
    const details = [`${input}_details`, `${output}_details`]
    return (
      counts.every((key) => isNumber(usage[key])) &&
      Object.entries(usage).every(
        ([key, value]) => counts.includes(key) || (details.includes(key) && (value === null || isMap(value))),
      )
    )
  })
  if (!names) return undefined
  const detailsOf = (half: 'input' | 'output') =>
    Object.entries(mapOf(usage[`${names[half]}_details`]) ?? {}).map(
      ([key, count]) => [`${half}_${key}`, count] as const,
    )
  const [inputs, outputs] = [detailsOf('input'), detailsOf('output')]
  return {
    input: less(
      usage[names.input],
      inputs.map(([, count]) => count),
    ),
    output: less(
      usage[names.output],
      outputs.map(([, count]) => count),
    ),
    total: usage.total_tokens,
    ...Object.fromEntries([...inputs, ...outputs]),
  }
}

function genkitUsage(attributes: Attributes): RawCounts {
  const usage = mapOf(mapOf(attributes['genkit:output'])?.usage) ?? {}
  return {
    input: usage.inputTokens,
    output: less(usage.outputTokens, [usage.thoughtsTokens]),
    total: usage.totalTokens,
    output_reasoning: usage.thoughtsTokens,
  }
}

function genericUsage(attributes: Attributes): RawCounts {
  const found = new Map<string, Value>()
  for (const prefix of [GEN_AI.USAGE_PREFIX, 'llm.token_count.']) {
    for (const [name, count] of under(attributes, prefix)) if (!found.has(name)) found.set(name, count)
  }
  found.delete('cost')
  const counts: Record<string, Value | undefined> = {}
  for (const [name, spellings] of Object.entries<readonly string[]>(SPELLINGS)) {
    const spelling = spellings.find((each) => found.has(each))
    if (spelling !== undefined) counts[name] = found.get(spelling)
    for (const each of spellings) found.delete(each)
  }
  for (const [whole, parts] of Object.entries(PARTS)) {
    if (counts[whole] !== undefined)
      counts[whole] = less(
        counts[whole],
        parts.map((part) => counts[part]),
      )
  }
  return { ...Object.fromEntries(found), ...counts }
}

/** Dollars of a span by kind. */
export function costOf(attributes: Attributes): UsageCounts {
  if (reportsSums(attributes)) return {}
  const stated = mapOf(attributes[ATTRIBUTE.OBSERVATION_COST_DETAILS])
  if (stated) {
    return Object.fromEntries(
      Object.entries(stated).flatMap(([kind, cost]) => (isNumber(cost) ? [[kind, numberOf(cost) ?? 0]] : [])),
    )
  }
  const total = numberOf(attributes[`${GEN_AI.USAGE_PREFIX}cost`]) ?? numberOf(attributes['llm.cost.total'])
  return total === undefined ? {} : { total }
}

/** A count without its parts, and never below nothing. */
export function less(whole: Value | undefined, parts: readonly (Value | undefined)[]): Value | undefined {
  const count = numberOf(whole)
  const part = sum(parts.map((each) => numberOf(each) ?? 0))
  return count === undefined || part === 0 ? whole : Math.max(0, count - part)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
