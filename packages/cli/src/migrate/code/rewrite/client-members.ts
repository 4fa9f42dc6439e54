import type { NodePath } from '@babel/traverse'
import { evaluate } from '../follow/evaluate.ts'
import { clientPath } from '../follow/members.ts'
import { nameOf, pathOf, pathsOf } from '../follow/value.ts'
import { isUnknown, type MemberRow, memberRow, movedPath } from '../tables/members.ts'
import { endOf, type Sheet, startOf } from './sheet.ts'

/** Rewrites members of a client: `client.getPrompt`, `api.legacy.scoreV1.create`, … */
export function rewriteMember(path: NodePath, sheet: Sheet) {
  const value = evaluate(path)
  if (value === undefined) return suspect(path, sheet)
  if (value.kind !== 'client') return
  const row = memberRow(value.path)
  const { property } = path.node as object as { property: Parameters<typeof startOf>[0] }
  if (!row && isUnknown(value.path)) {
    sheet.remark('warning', property, 'names-of-older-versions', `SvcClient of version 6 has no ${value.path[0]}.`)
  }
  if (!row || isReadFurther(path)) return
  if (!row.to) {
    sheet.remark('error', property, row.heading, gone(value.path, row))
  } else if (row.depth === value.path.length) {
    rename(path, value.path, row.to.split('.'), sheet, row)
  }
}

export function gone(path: readonly string[], { instead = '' }: MemberRow): string {
  return `${path.join('.')} is gone. ${instead}`
}

/** Whether the member is part of a longer path that has its own row. */
function isReadFurther({ node, parentPath }: NodePath): boolean {
  if (!parentPath?.isMemberExpression() && !parentPath?.isOptionalMemberExpression()) return false
  if (parentPath.node.object !== node) return false
  const value = evaluate(parentPath as NodePath)
  const name = nameOf(parentPath)
  return value?.kind === 'client' && memberRow(value.path) !== undefined && !FUNCTION_MEMBERS.has(name ?? '')
}

const FUNCTION_MEMBERS = new Set(['bind', 'call', 'apply'])

function rename(path: NodePath, from: readonly string[], to: readonly string[], sheet: Sheet, row: MemberRow) {
  const { property } = path.node as object as { property: Parameters<typeof startOf>[0] }
  const steps = stepsTo(path)
  const root = steps[0] && pathOf(steps[0], 'object')
  const rootPath = root && clientPath(evaluate(root))
  const rest = rootPath && below(movedPath(rootPath), to)
  if (!root || !rest || rest.length === 0 || (isDetached(path) && !canBind(root, sheet, to))) {
    if (from.join('.') !== to.join('.')) {
      sheet.remark('error', property, row.heading, `${from.join('.')} is gone: it is ${to.join('.')}.`)
    }
    return
  }
  const names = steps.map(nameOf)
  const differs = names.findIndex((name, at) => name !== rest[at])
  if (differs === -1 && names.length === rest.length) return
  const kept = Math.min(differs === -1 ? names.length : differs, names.length - 1, rest.length - 1)
  const first = steps[kept] as NodePath
  const { computed, optional } = first.node as never as { computed: boolean; optional?: boolean }
  const inBrackets =
    computed || steps.slice(kept).some((each) => (each.node as { computed?: boolean } & object).computed)
  const object = pathOf(first, 'object')
  const start = computed ? endOf(object) : startOf(pathOf(first, 'property'))
  const dot = computed ? (optional ? '?.' : '.') : ''
  sheet.replace(start, inBrackets ? endOf(path) : endOf(property), `${dot}${rest.slice(kept).join('.')}`)
  if (isDetached(path)) sheet.insert(endOf(path), `.bind(${[sheet.source(root), ...rest.slice(0, -1)].join('.')})`)
}

/** Returns the member expressions from the client on, outermost last. */
function stepsTo(path: NodePath): NodePath[] {
  const steps: NodePath[] = []
  let at: NodePath = path
  while ((at.isMemberExpression() || at.isOptionalMemberExpression()) && clientPath(evaluate(pathOf(at, 'object')))) {
    steps.unshift(at)
    at = pathOf(at, 'object')
  }
  return steps
}

/** Returns the rest of a path below another; undefined if it is not below it. */
export function below(above: readonly string[] | undefined, path: readonly string[]): readonly string[] | undefined {
  return above?.every((name, at) => path[at] === name) ? path.slice(above.length) : undefined
}

/**
 * Whether a method of a manager is passed on without a call. Those of version 5 were bound; those of `api` still are.
 */
function isDetached(path: NodePath): boolean {
  const value = evaluate(path)
  const to = value?.kind === 'client' ? movedPath(value.path) : undefined
  if (!to || to[0] === 'api') return false
  const { parentPath, node } = path
  if (parentPath?.isCallExpression() || parentPath?.isOptionalCallExpression()) {
    return parentPath.node.callee !== node && !isMockHelper(pathOf(parentPath, 'callee'))
  }
  if (parentPath?.isMemberExpression()) return FUNCTION_MEMBERS.has(nameOf(parentPath) ?? '')
  if (parentPath?.isAssignmentExpression()) return parentPath.node.left !== node
  return (
    !parentPath?.isUnaryExpression() && !parentPath?.isExpressionStatement() && !parentPath?.isTSNonNullExpression()
  )
}

/**
 * Whether a call needs the function itself, not a bound copy: `expect(client.getPrompt)`,
 * `vi.mocked(client.getPrompt)`.
 */
function isMockHelper(callee: NodePath): boolean {
  return /^(expect|mocked)$/.test(
    (callee.isMemberExpression() ? nameOf(callee) : callee.isIdentifier() && callee.node.name) || '',
  )
}

function canBind(root: NodePath, sheet: Sheet, to: readonly string[]): boolean {
  return to.length > 1 && /^[\w$.#]+$/.test(sheet.source(root))
}

/** Reports members of a client whose name is computed, and those with names of ours on unknown values. */
function suspect(path: NodePath, sheet: Sheet) {
  const { parentPath, node } = path
  const above = nameOf(path) === undefined ? clientPath(evaluate(pathOf(path, 'object'))) : undefined
  if (above) {
    const { property } = path.node as never as { property: NodePath['node'] }
    const whole = `${['client', ...above].join('.')}[${sheet.source(property)}]`
    return sheet.remark('warning', property, '', `${whole}: check which member it is, because some have other names.`)
  }
  const isCalled = parentPath?.isCallExpression() || parentPath?.isOptionalCallExpression()
  if (!isCalled || parentPath.node.callee !== node) return
  const names: string[] = []
  for (let at: NodePath = path; at.isMemberExpression() || at.isOptionalMemberExpression(); at = pathOf(at, 'object')) {
    if (evaluate(pathOf(at, 'object'))?.kind === 'foreign') return
    names.unshift(nameOf(at) ?? '')
    const tail = names.slice(Math.max(0, names.lastIndexOf('api')))
    const row = tail.length > 1 || names.length === 1 ? memberRow(tail) : undefined
    if (row && (!row.to || row.to !== tail.join('.'))) {
      const { property } = path.node as never as { property: NodePath['node'] }
      const answer = row.to ? `it is ${row.to}` : (row.instead ?? '')
      sheet.remark('warning', property, row.heading, `${tail.join('.')}: if this is a SvcClient, it is gone: ${answer}`)
      return
    }
  }
}

/** Rewrites members that are named by a string: `vi.spyOn(client, 'getPrompt')`. */
export function rewriteNamedMember(call: NodePath, sheet: Sheet) {
  const [object, name] = pathsOf(call, 'arguments')
  const above = name?.isStringLiteral() ? clientPath(evaluate(object)) : undefined
  if (!object || !name?.isStringLiteral() || !above) return
  const row = memberRow([...above, name.node.value])
  if (!row) return
  const rest = row.to ? below(movedPath(above), row.to.split('.')) : undefined
  if (!rest || rest.length === 0)
    return sheet.remark('error', name, row.heading, gone([...above, name.node.value], row))
  if (rest.length > 1) sheet.insert(endOf(object), `.${rest.slice(0, -1).join('.')}`)
  sheet.replace(startOf(name) + 1, endOf(name) - 1, rest.at(-1) ?? '')
}
