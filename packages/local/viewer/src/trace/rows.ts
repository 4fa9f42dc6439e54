import type { Outline } from '../../../src/trace/pages/trace.ts'
import type { TraceRow } from '../../../src/trace/pages/trace-list.ts'
import { type Branch, treeOf } from '../../../src/trace/tree.ts'

/** A line of the tree. */
export interface Line {
  readonly node: Outline
  readonly depth: number
  readonly children: number
  readonly open: boolean
  /** It names a parent that is not in the trace. */
  readonly isOrphan: boolean
}

/** The lines that are to be seen: not those below a closed one, and of others than `isWanted` those above one. */
export function linesOf(
  observations: readonly Outline[],
  closed: ReadonlySet<string>,
  isWanted: (node: Outline) => boolean = () => true,
): readonly Line[] {
  const ids = new Set(observations.map(({ id }) => id))
  const lines: Line[] = []
  const add = (branches: readonly Branch<Outline>[], depth: number) => {
    for (const { node, children } of branches) {
      const open = !closed.has(node.id)
      const isOrphan = node.parentId !== null && !ids.has(node.parentId)
      lines.push({ node, depth, children: children.length, open, isOrphan })
      if (open) add(children, depth + 1)
    }
  }
  const wanted = ({ node, children }: Branch<Outline>): Branch<Outline>[] => {
    const below = children.flatMap(wanted)
    return below.length > 0 || isWanted(node) ? [{ node, children: below }] : []
  }
  add(treeOf(observations).flatMap(wanted), 0)
  return lines
}

/** Spans are sent when they end: of what still runs, its children are all that is known. */
export interface Running {
  /** What has arrived, and, as far as the trace runs, the parents that have not. */
  readonly nodes: readonly Outline[]
  /** The ids of the latter. */
  readonly running: ReadonlySet<string>
}

const UNKNOWN = {
  ...({ parentId: null, type: 'SPAN', name: 'running', level: 'DEFAULT', statusMessage: null } as const),
  ...{
    completionStartTime: null,
    model: null,
    tokens: { input: 0, output: 0, total: 0 },
    cost: null,
    estimated: false,
  },
}

export function withRunning(observations: readonly Outline[], trace: Pick<TraceRow, 'open' | 'endTime'>): Running {
  const known = new Set(observations.map(({ id }) => id))
  const missing = new Map<string, Outline>()
  for (const { parentId, startTime } of trace.open ? observations : []) {
    if (parentId === null || known.has(parentId) || missing.has(parentId)) continue
    // They are by start: the first child is the first sign of its parent.
    missing.set(parentId, { ...UNKNOWN, id: parentId, startTime, endTime: trace.endTime })
  }
  return { nodes: [...missing.values(), ...observations], running: new Set(missing.keys()) }
}

/** The ids above an observation. */
export function pathTo(observations: readonly Outline[], id: string): ReadonlySet<string> {
  const parents = new Map(observations.map((each) => [each.id, each.parentId]))
  const path = new Set<string>()
  for (let at = parents.get(id); at && !path.has(at); at = parents.get(at)) path.add(at)
  return path
}

/** The ids of the observations that no wanted one stands below. */
export function idsWithout(
  observations: readonly Outline[],
  isWanted: (node: Outline) => boolean,
): ReadonlySet<string> {
  const ids = new Set(observations.map(({ id }) => id))
  for (const node of observations.filter(isWanted)) for (const id of pathTo(observations, node.id)) ids.delete(id)
  return ids
}

/** What the tree can be narrowed to, by the name in the URL. */
export const ONLY: Readonly<
  Record<string, readonly [title: string, find: (all: readonly Outline[]) => (node: Outline) => boolean]>
> = {
  models: [
    'Model calls',
    () =>
      ({ type }) =>
        type === 'GENERATION' || type === 'EMBEDDING',
  ],
  errors: ['Errors and warnings', () => isTrouble],
  slow: ['Slow steps', isSlowIn],
}

export const isTrouble = ({ level }: Outline): boolean => level === 'ERROR' || level === 'WARNING'

/** What takes a tenth of the trace by itself. */
function isSlowIn(all: readonly Outline[]): (node: Outline) => boolean {
  const own = new Map(all.map(({ id, startTime, endTime }) => [id, endTime - startTime]))
  for (const { parentId, startTime, endTime } of all) {
    if (parentId !== null && own.has(parentId)) own.set(parentId, (own.get(parentId) ?? 0) - (endTime - startTime))
  }
  const whole = Math.max(...all.map(({ endTime }) => endTime)) - Math.min(...all.map(({ startTime }) => startTime))
  return ({ id }) => (own.get(id) ?? 0) * 10 >= whole
}
