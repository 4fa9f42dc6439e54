import { groupBy } from '../group.ts'

export interface Branch<T> {
  readonly node: T
  readonly children: readonly Branch<T>[]
}

/** Deeper nodes are drawn at the level of their parent, because drawing recurses. */
const MAX_DEPTH = 100

/**
 * Nests a flat list by parent. What has no parent in the list, because it is the root or because the parent has not
 * arrived, stands at the top; order is kept. A circle of parents is opened at its first node.
 */
export function treeOf<T extends { readonly id: string; readonly parentId: string | null }>(
  nodes: readonly T[],
): Branch<T>[] {
  const ids = new Set(nodes.map(({ id }) => id))
  const parentOf = ({ parentId }: T) => (parentId !== null && ids.has(parentId) ? parentId : null)
  const children = groupBy(nodes, parentOf)
  const placed = new Set<string>()
  const top: Branch<T>[] = []
  const todo = [...(children.get(null) ?? []), ...nodes].reverse().map((node) => ({ node, into: top, depth: 0 }))
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { node, into, depth } = next
    if (placed.has(node.id)) continue
    placed.add(node.id)
    const below: Branch<T>[] = []
    into.push({ node, children: below })
    const deeper = depth < MAX_DEPTH ? { into: below, depth: depth + 1 } : { into, depth }
    for (const child of [...(children.get(node.id) ?? [])].reverse()) todo.push({ node: child, ...deeper })
  }
  return top
}
