import type { LocalService, Observation } from '@svc/local'

export interface Caller {
  readonly user: string
  readonly session: string
}

/**
 * The traces of a session as text, one line for each observation, two spaces deeper than its parent. A line says more
 * than a name only where there is more to say: another type than SPAN, another level than DEFAULT, and whose it is
 * when it is not the caller's.
 */
export function drawn(local: LocalService, caller: Caller): string[] {
  const all = local.observations()
  const mine = new Set(all.filter(({ sessionId }) => sessionId === caller.session).map(({ traceId }) => traceId))
  return [...mine].map((traceId) => {
    const trace = all.filter((each) => each.traceId === traceId)
    return [...endsLast(trace), ...branches(trace, null, caller, '')].join('\n')
  })
}

function branches(trace: readonly Observation[], parent: string | null, caller: Caller, indent: string): string[] {
  const ids = new Set(trace.map(({ id }) => id))
  const parentOf = ({ parentId }: Observation) => (parentId && ids.has(parentId) ? parentId : null)
  return trace
    .filter((each) => parentOf(each) === parent)
    .flatMap((each) => [indent + line(each, caller), ...branches(trace, each.id, caller, `${indent}  `)])
}

function line({ type, name, level, userId, sessionId, parentId, isRoot }: Observation, caller: Caller): string {
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

/** A request has ended when its body was sent: nothing of it ends later. */
function endsLast(trace: readonly Observation[]): string[] {
  const root = trace.find(({ parentId }) => parentId === null)
  const late = trace.filter((each) => root && each.endTime > root.endTime)
  return late.map(({ name }) => `${name} ended after the root`)
}
