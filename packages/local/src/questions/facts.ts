import { groupBy } from '../group.ts'
import { costOf, tokensOf } from '../store/trace.ts'
import { shortId, shownCost, shownDuration, shownName, shownTime } from './describe-text.ts'
import type { Params, Row } from './question.ts'
import type { SeenObservation } from './reader.ts'

/** What a list says of a trace, from its observations. */
export interface TraceFacts extends Record<string, unknown> {
  readonly traceId: string
  readonly name: string | null
  readonly startTime: string
  readonly latencyMs: number
  readonly observations: number
  readonly errors: number
  readonly warnings: number
  readonly tokens: number
  /** US dollars; null where no call has a known price. */
  readonly costUsd: number | null
  /** Whether a part of the cost is by the built-in prices. */
  readonly costIsEstimated: boolean
  readonly models: readonly string[]
  readonly userId: string | null
  readonly sessionId: string | null
  readonly tags: readonly string[]
}

const start = ({ startTime }: SeenObservation) => Date.parse(startTime)
const end = ({ startTime, endTime }: SeenObservation) => Date.parse(endTime ?? startTime)

/** Milliseconds that an observation took. */
export const durationOf = (one: SeenObservation): number => Math.max(0, end(one) - start(one))
export const tokensIn = ({ usageDetails = {} }: SeenObservation): number => tokensOf(usageDetails).total

/** US dollars of one call: as the service has it, else by the built-in prices. */
export const costIn = ({ costDetails = {}, providedModelName = null, usageDetails = {} }: SeenObservation) =>
  costOf({ cost: costDetails, model: providedModelName, usage: usageDetails })

/** The facts of traces, from observations of them, by id. */
export const factsOf = (observations: readonly SeenObservation[]): Map<string, TraceFacts> =>
  new Map([...groupBy(observations, ({ traceId }) => traceId ?? '')].map(([id, own]) => [id, factsOfOne(id, own)]))

export function factsOfOne(traceId: string, observations: readonly SeenObservation[]): TraceFacts {
  const sorted = [...observations].sort((one, other) => start(one) - start(other))
  const root = sorted.find(({ isRootObservation }) => isRootObservation) ?? sorted[0]
  const costs = sorted.map(costIn)
  const known = costs.flatMap(({ usd }) => (usd === null ? [] : [usd]))
  const pick = (field: 'traceName' | 'userId' | 'sessionId') =>
    root?.[field] ?? sorted.find((one) => one[field])?.[field] ?? null
  const count = (level: string) => sorted.filter((one) => one.level === level).length
  return {
    traceId,
    name: pick('traceName') ?? root?.name ?? null,
    startTime: sorted[0]?.startTime ?? '',
    latencyMs: Math.max(
      0,
      sorted.reduce((last, one) => Math.max(last, end(one)), 0) - (sorted[0] ? start(sorted[0]) : 0),
    ),
    observations: sorted.length,
    errors: count('ERROR'),
    warnings: count('WARNING'),
    tokens: sorted.reduce((sum, one) => sum + tokensIn(one), 0),
    costUsd: known.length > 0 ? known.reduce((sum, usd) => sum + usd, 0) : null,
    costIsEstimated: costs.some(({ estimated }) => estimated),
    models: [...new Set(sorted.flatMap(({ providedModelName }) => providedModelName ?? []))],
    userId: pick('userId'),
    sessionId: pick('sessionId'),
    tags: [...new Set(sorted.flatMap(({ tags }) => tags ?? []))],
  }
}

/** A trace as a row of a list. */
export function rowOf(facts: TraceFacts, resume?: Params): Row {
  return {
    text: [shownTime(facts.startTime), shortId(facts.traceId), ...detailsOf(facts)].join('  '),
    ...(facts.errors > 0 && { style: 'red' as const }),
    data: facts,
    ...(resume && { resume }),
  }
}

/** What is known of a trace beside its id and start. */
export function detailsOf(facts: TraceFacts): string[] {
  const details = [
    shownName(facts.name ?? '(no root)'),
    shownDuration(facts.latencyMs),
    facts.errors > 0 && `${facts.errors} failed`,
    facts.warnings > 0 && `${facts.warnings} warned`,
    `${facts.observations} obs`,
    facts.tokens > 0 && `${facts.tokens} tokens`,
    facts.costUsd !== null && shownCost(facts.costUsd, facts.costIsEstimated),
    facts.models.length > 0 && shownName(facts.models.join(','), 60),
    facts.userId && `user=${shownName(facts.userId, 40)}`,
    facts.sessionId && `session=${shownName(facts.sessionId, 40)}`,
    facts.tags.length > 0 && `tags=${shownName(facts.tags.join(','), 60)}`,
  ]
  return details.filter((each): each is string => typeof each === 'string')
}
