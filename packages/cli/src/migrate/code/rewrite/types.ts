import type { NodePath } from '@babel/traverse'
import { namedValue, typeValue } from '../follow/types.ts'
import { pathOf, pathsOf, typeArgumentsOf } from '../follow/value.ts'
import { memberRow, movedPath } from '../tables/members.ts'
import { below, gone } from './client-members.ts'
import { endOf, type Sheet, startOf } from './sheet.ts'

/** Rewrites `SvcClient['getPrompt']`. */
export function rewriteIndexedType(path: NodePath, sheet: Sheet) {
  const value = typeValue(path)
  const row = value?.kind === 'client' ? memberRow(value.path) : undefined
  if (value?.kind !== 'client' || !row) return
  if (
    path.parentPath?.isTSIndexedAccessType() &&
    path.key === 'objectType' &&
    typeValue(path.parentPath)?.kind === 'client'
  ) {
    const above = typeValue(path.parentPath)
    if (above?.kind === 'client' && memberRow(above.path)) return
  }
  let root: NodePath = path
  while (root.isTSIndexedAccessType() && typeValue(pathOf(root, 'objectType'))?.kind === 'client')
    root = pathOf(root, 'objectType')
  const above = typeValue(root)
  const rest = row.to && above?.kind === 'client' ? below(movedPath(above.path), row.to.split('.')) : undefined
  if (!rest) return sheet.remark('error', path, row.heading, gone(value.path, row))
  sheet.replace(endOf(root), endOf(path), rest.map((each) => `['${each}']`).join(''))
}

/** Rewrites `typeof client.getPrompt`. */
export function rewriteQualifiedName(path: NodePath, sheet: Sheet) {
  if (path.parentPath?.isTSQualifiedName()) return
  const value = namedValue(path)
  if (value?.kind !== 'client') return
  const row = memberRow(value.path)
  if (!row) return
  let root: NodePath = path
  while (root.isTSQualifiedName() && namedValue(pathOf(root, 'left'))?.kind === 'client') root = pathOf(root, 'left')
  const above = namedValue(root)
  const rest = row.to && above?.kind === 'client' ? below(movedPath(above.path), row.to.split('.')) : undefined
  if (!rest) return sheet.remark('error', path, row.heading, gone(value.path, row))
  sheet.replace(endOf(root), endOf(path), `.${rest.join('.')}`)
}

/** Rewrites `Pick<SvcClient, 'getPrompt'>` to pick the manager of the method. */
export function rewritePick(path: NodePath, sheet: Sheet) {
  const name = pathOf(path, 'typeName')
  if (!name.isIdentifier() || !/^(Pick|Omit)$/.test(name.node.name)) return
  const [from, keys] = typeArgumentsOf(path)
  const value = from && typeValue(from)
  if (value?.kind !== 'client' || !keys) return
  const literals = keys.isTSUnionType() ? pathsOf(keys, 'types') : [keys]
  for (const each of literals) {
    const literal = each.isTSLiteralType() ? pathOf(each, 'literal') : undefined
    if (!literal?.isStringLiteral()) continue
    const path = [...value.path, literal.node.value]
    const row = memberRow(path)
    if (!row) continue
    const rest = row.to ? below(movedPath(value.path), row.to.split('.')) : undefined
    if (!rest) sheet.remark('error', each, row.heading, gone(path, row))
    else sheet.replace(startOf(literal) + 1, endOf(literal) - 1, rest[0] ?? '')
  }
}
