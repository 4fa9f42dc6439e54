import type { LocalService, Observation } from '@svc/local'

/** All that was observed for one user, as trees of names, with level and message where there is something to say. */
export function drawn(local: LocalService, userId: string): string {
  const all = local.observations((observation) => observation.userId === userId)
  const ids = new Set(all.map(({ id }) => id))
  const lines = (parent: string | undefined, indent: string): string[] =>
    all
      .filter(({ parentId }) => (parentId && ids.has(parentId) ? parentId : undefined) === parent)
      .flatMap((each) => [indent + named(each), ...lines(each.id, `${indent}  `)])
  return lines(undefined, '').join('\n')
}

/** {@link drawn}, once there are as many observations as there are lines in `expected`. */
export async function drawing(local: LocalService, userId: string, expected: string): Promise<string> {
  const wanted = expected.split('\n').length
  await local.waitFor(() => local.observations((observation) => observation.userId === userId).length >= wanted)
  return drawn(local, userId)
}

/** The observation of that name, once it is there. */
export function observed(local: LocalService, name: string, userId?: string): Promise<Observation> {
  return local.waitFor(() =>
    local.observations((each) => each.name === name && (userId === undefined || each.userId === userId)).at(-1),
  )
}

/** Spans, from that one on, whose parent was not sent. */
export function orphans(local: LocalService, from = 0) {
  const spans = local.spans()
  const ids = new Set(spans.map(({ spanId }) => spanId))
  return spans.slice(from).filter(({ parentSpanId }) => parentSpanId !== null && !ids.has(parentSpanId))
}

/** Next's own spans, from that one on. */
export function ofNext(local: LocalService, from = 0) {
  return local
    .spans()
    .slice(from)
    .filter(({ scope }) => scope.name === 'next.js')
}

function named({ name, level, statusMessage }: Observation): string {
  const notes = [level === 'DEFAULT' ? '' : level, statusMessage ?? ''].filter(Boolean).join(' ')
  return notes === '' ? name : `${name} (${notes})`
}
