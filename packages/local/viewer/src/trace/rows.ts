import type { Outline } from '../../../src/trace/pages/trace.ts'
import { type Branch, treeOf } from '../../../src/trace/tree.ts'

/** A line of the tree. */
export interface Line {
  readonly node: Outline
  readonly depth: number
  readonly children: number
  readonly open: boolean
}

/** The lines that are to be seen: what stands below a closed one is not. */
export function linesOf(observations: readonly Outline[], closed: ReadonlySet<string>): readonly Line[] {
  const lines: Line[] = []
  const add = (branches: readonly Branch<Outline>[], depth: number) => {
    for (const { node, children } of branches) {
      const open = !closed.has(node.id)
      lines.push({ node, depth, children: children.length, open })
      if (open) add(children, depth + 1)
    }
  }
  add(treeOf(observations), 0)
  return lines
}

/** The ids above an observation. */
export function pathTo(observations: readonly Outline[], id: string): ReadonlySet<string> {
  const parents = new Map(observations.map((each) => [each.id, each.parentId]))
  const path = new Set<string>()
  for (let at = parents.get(id); at && !path.has(at); at = parents.get(at)) path.add(at)
  return path
}
