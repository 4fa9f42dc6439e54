import type { LocalService, Observation, ReceivedSpan } from '@svc/local'
import { tree } from './tree.ts'

export interface Caller {
  readonly user: string
  readonly session: string
}

/** Whose traces those are that are nobody's. */
export const NOBODY = { user: null, session: null }

/**
 * What arrived until now, by session: a caller's traces as text, one line for each observation, two spaces deeper than
 * its parent, all in alphabetical order. A line says more than a name only where there is more to say: another type than SPAN, another level than
 * DEFAULT, and whose it is when it is not the caller's.
 */
export function drawings(local: LocalService): (caller: Caller | typeof NOBODY) => string[] {
  const arrivals = groupBy(local.spans(), ({ traceId }) => traceId)
  const traces = [...groupBy(local.observations(), ({ traceId }) => traceId).values()]
  const bySession = new Map<string | null, Observation[][]>()
  for (const trace of traces) {
    for (const session of new Set(trace.map(({ sessionId }) => sessionId))) {
      bySession.set(session, [...(bySession.get(session) ?? []), trace])
    }
  }
  return (caller) =>
    (bySession.get(caller.session) ?? [])
      .map((trace) => [...endedAfterTheRoot(arrivals.get(trace[0]?.traceId ?? '') ?? []), ...trees(trace, caller)])
      .map((lines) => lines.join('\n'))
      .sort()
}

/** The trees of a trace: one, unless something has lost its parent. */
function trees(trace: readonly Observation[], caller: Caller | typeof NOBODY): string[] {
  const ids = new Set(trace.map(({ id }) => id))
  const below = groupBy(trace, ({ parentId }) => (parentId && ids.has(parentId) ? parentId : ''))
  const draw = (each: Observation): string => tree(line(each, caller), ...(below.get(each.id) ?? []).map(draw))
  return (below.get('') ?? []).map(draw).sort()
}

function line(
  { type, name, level, userId, sessionId, parentId, isRoot }: Observation,
  caller: Caller | typeof NOBODY,
): string {
  const foreign = userId !== caller.user || sessionId !== caller.session
  const orphan = parentId === null && !isRoot
  return [
    type === 'SPAN' ? '' : `${type} `,
    name,
    level === 'DEFAULT' ? '' : ` ${level}`,
    foreign ? ` (of ${userId ?? 'nobody'}, ${sessionId ?? 'no session'})` : '',
    orphan ? ' (not the root)' : '',
  ].join('')
}

/**
 * An HTTP request has ended when its response was sent: nothing of it ends later. The spans of one batch arrive in the
 * order of their end, once the guards have passed. Batches overtake one another: there the clocks decide, which differ
 * by up to a millisecond.
 */
function endedAfterTheRoot(arrivals: readonly ReceivedSpan[]): string[] {
  const root = arrivals.findIndex(({ attributes }) => attributes['http.response.status_code'] !== undefined)
  const ended = BigInt(arrivals[root]?.endTimeUnixNano ?? 0)
  const late = root < 0 ? [] : arrivals.slice(root + 1)
  return late
    .filter(({ endTimeUnixNano }) => BigInt(endTimeUnixNano) > ended - 1_000_000n)
    .map(({ name }) => `${name} ended after the root`)
}

function groupBy<T>(all: readonly T[], key: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const each of all) groups.set(key(each), [...(groups.get(key(each)) ?? []), each])
  return groups
}
