import type { NodePath } from '@babel/traverse'
import type { Node } from '@babel/types'
import { evaluate } from '../follow/evaluate.ts'
import { keyOf, pathOf } from '../follow/value.ts'
import { BEHAVIOURS } from '../tables/behaviours.ts'
import type { Sheet } from './sheet.ts'

/** Reports where an app of version 5 calls or imports something that behaves differently. */
export function noteUse(path: NodePath, sheet: Sheet) {
  if (!sheet.isVersion5) return
  if (path.isImportDeclaration()) {
    const module = path.node.source.value
    if (!module.startsWith('@svc/')) return
    const names = path.node.specifiers.map((each) =>
      each.type === 'ImportSpecifier' ? keyOf(each.imported, false) : undefined,
    )
    for (const use of [module, ...names.map((name) => `${module} ${name}`)]) note(use, path.node, sheet)
    return
  }
  const value = evaluate(pathOf(path, 'callee'))
  if (value?.kind === 'client') note(value.path.join('.'), path.node, sheet)
  if (value?.kind === 'module' && value.path.length === 1) note(`${value.name} ${value.path[0]}`, path.node, sheet)
}

function note(use: string, at: Node, sheet: Sheet) {
  for (const { uses, message, heading } of BEHAVIOURS) {
    if (uses.includes(use)) sheet.remark('info', at, heading, message)
  }
}
