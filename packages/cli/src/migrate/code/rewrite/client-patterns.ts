import type { NodePath } from '@babel/traverse'
import { removals } from '../edits.ts'
import { evaluate } from '../follow/evaluate.ts'
import { nameOf, pathOf, pathsOf } from '../follow/value.ts'
import { memberRow, movedPath } from '../tables/members.ts'
import { below, gone } from './client-members.ts'
import { endOf, type Sheet, startOf } from './sheet.ts'

/** Rewrites destructured members: `const { getPrompt, api: { scoresV3 } } = client`. */
export function rewritePattern(pattern: NodePath, sheet: Sheet) {
  const properties = pathsOf(pattern, 'properties')
  const bound = properties.flatMap((property) => (property.isObjectProperty() ? (boundMember(property) ?? []) : []))
  const methods: Method[] = []
  for (const { property, name, path } of bound) {
    const row = memberRow(path)
    if (!row) continue
    const to = row.to?.split('.')
    if (!to || row.depth !== path.length) {
      sheet.remark('error', property, row.heading, gone(path, row))
      continue
    }
    const rest = below(movedPath(path.slice(0, -1)), to)
    if (rest?.length === 1 && to[0] === 'api') {
      sheet.renameKey(property, rest[0] as string)
      continue
    }
    const method = rest && { property, name, from: rest, isBound: to[0] !== 'api' }
    if (method && isSimple(pattern, sheet) && !pathOf(property, 'value').isAssignmentPattern()) methods.push(method)
    else sheet.remark('error', property, row.heading, `${path.join('.')} is gone: it is ${to.join('.')}.`)
  }
  if (methods.length > 0) moveOut(pattern, properties, methods, sheet)
}

interface Method {
  readonly property: NodePath
  readonly name: string
  /** Path from the destructured value. */
  readonly from: readonly string[]
  /** Whether the method has to be bound to its manager. */
  readonly isBound: boolean
}

/** Returns the member of a property in the pattern, and its local name. */
function boundMember(property: NodePath) {
  const value = pathOf(property, 'value')
  const id = value.isAssignmentPattern() ? pathOf(value, 'left') : value
  if (!id.isIdentifier()) return undefined
  const known = evaluate(id)
  if (known?.kind !== 'client' || known.path.at(-1) !== nameOf(property)) return undefined
  return { property, name: id.node.name, path: known.path }
}

/** Whether the destructured expression can be repeated without side effects. */
function isSimple(pattern: NodePath, sheet: Sheet): boolean {
  const { parentPath } = pattern
  return parentPath?.isVariableDeclarator() === true && /^[\w$.#]+$/.test(sheet.source(pathOf(parentPath, 'init')))
}

/** Moves methods from the pattern to separate variables. */
function moveOut(pattern: NodePath, properties: NodePath[], methods: Method[], sheet: Sheet) {
  const declarator = pattern.parentPath as NodePath
  const object = sheet.source(pathOf(declarator, 'init'))
  const own = methods.map(({ name, from, isBound }) => {
    const owner = [object, ...from.slice(0, -1)].join('.')
    return `${name} = ${owner}.${from.at(-1)}${isBound ? `.bind(${owner})` : ''}`
  })
  const leaving = new Set(methods.map(({ property }) => startOf(property)))
  if (properties.every((each) => leaving.has(startOf(each)))) {
    return sheet.replace(startOf(declarator), endOf(declarator), own.join(', '))
  }
  const places = properties.map((each) => ({ start: startOf(each), end: endOf(each) }))
  sheet.edits.push(...removals(places, ({ start }) => leaving.has(start)))
  sheet.insert(endOf(declarator), `, ${own.join(', ')}`)
}
