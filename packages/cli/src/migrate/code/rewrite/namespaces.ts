import type { NodePath } from '@babel/traverse'
import { pathOf } from '../follow/value.ts'
import { endOf, type Sheet, startOf } from './sheet.ts'

/**
 * Rewrites members of an imported namespace to separate names: `Prompt.Chat` becomes `ChatPrompt`. Returns the names to
 * import; undefined if a member has no such name.
 */
export function unwrap(
  specifier: NodePath,
  names: Readonly<Record<string, string>>,
  sheet: Sheet,
): string[] | undefined {
  const local = pathOf(specifier, 'local').node as unknown as { name: string }
  const used = usesOf(specifier, local.name)
  const isType = /^type\s/.test(sheet.source(specifier)) ? 'type ' : ''
  const members = used.map(({ parent }) => (parent?.type === 'TSQualifiedName' ? parent.right.name : ''))
  if (members.length === 0) return undefined
  if (members.some((member) => !(member in names))) {
    const known = Object.entries(names).map(([from, to]) => `${local.name}.${from} is ${to}`)
    sheet.remark('error', specifier, 'types', `${known.join(', ')}.`)
    return undefined
  }
  for (const { parent } of used) {
    if (parent?.type !== 'TSQualifiedName') continue
    sheet.replace(startOf(parent), endOf(parent), names[parent.right.name] ?? '')
  }
  const wanted = [...new Set(members)].map((member) => names[member] ?? '')
  return wanted.filter((name) => !specifier.scope.getBinding(name)).map((name) => `${isType}${name}`)
}

/** Returns the uses of a name, also in types, which Babel's scopes do not have. */
function usesOf(specifier: NodePath, name: string): NodePath[] {
  const found: NodePath[] = []
  const program = specifier.scope.getProgramParent().path
  program.traverse({
    Identifier(path) {
      const { parentPath } = path
      if (path.node.name !== name || path.findParent((each) => each === specifier)) return
      const isRight = parentPath.isTSQualifiedName() && parentPath.node.right === path.node
      const isType = parentPath.isTSQualifiedName() || parentPath.isTSTypeReference()
      const isRead = isType || (path as NodePath).isReferencedIdentifier()
      if (isRead && !isRight && path.scope.getBinding(name) === specifier.scope.getBinding(name)) found.push(path)
    },
  })
  return found
}
