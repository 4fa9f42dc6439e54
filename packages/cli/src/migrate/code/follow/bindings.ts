import type { Binding, NodePath } from '@babel/traverse'
import type { Node } from '@babel/types'
import { evaluate } from './evaluate.ts'
import { elementOf, memberOf } from './members.ts'
import { moduleNamed } from './modules.ts'
import { parameterValue } from './parameters.ts'
import { annotationValue } from './types.ts'
import { anyOf, FOREIGN, type FollowedValue, keyOf, nameOf, pathOf, pathsOf } from './value.ts'

/** Returns the value of a name in a scope. */
export function bindingValue(binding: Binding): FollowedValue | undefined {
  const { path, identifier } = binding
  if (path.isVariableDeclarator()) return declaratorValue(path, identifier, binding)
  if (path.isImportSpecifier() || path.isImportDefaultSpecifier() || path.isImportNamespaceSpecifier()) {
    return importedValue(path)
  }
  if (path.isFunctionDeclaration() || path.isFunctionExpression()) return { kind: 'function', at: path }
  if (path.isTSDeclareFunction()) return { kind: 'function', at: path as never }
  if (path.isClassDeclaration() || path.isClassExpression()) return { kind: 'class', at: path }
  if (path.isTSImportEqualsDeclaration()) return importEquals(path)
  if ((binding.kind as string) === 'param') return parameterValue(binding)
  return path.isCatchClause() || path.isTSEnumDeclaration() ? FOREIGN : undefined
}

function declaratorValue(path: NodePath, identifier: Node, binding: Binding): FollowedValue | undefined {
  const id = pathOf(path, 'id')
  const loop = path.parentPath?.parentPath
  const isLooped = loop?.isForOfStatement() && loop.node.left === path.parent
  const initial = isLooped ? elementOf(evaluate(pathOf(loop, 'right'))) : pathOf(path, 'init')
  if (!id.isIdentifier()) return patternValue(id, initialValue(id, initial), identifier)
  const annotated = annotationValue(id)
  if (annotated) return annotated
  const isSet = 'isNodeType' in (initial ?? {}) ? (initial as NodePath).node !== null : initial !== undefined
  const later = binding.constantViolations.filter((each) => each.isAssignmentExpression())
  const values = [
    ...(isSet ? [initialValue(id, initial)] : []),
    ...later.map((each) => evaluate(pathOf(each, 'right'))),
  ]
  return anyOf(values)
}

function initialValue(id: NodePath, initial: NodePath | FollowedValue | undefined): FollowedValue | undefined {
  if (initial && 'kind' in initial) return initial as FollowedValue
  const annotation = id.isIdentifier() ? undefined : annotationValue(id)
  return annotation ?? evaluate(initial as NodePath | undefined)
}

/** Returns the value of a name in a destructuring pattern for `value`. */
export function patternValue(
  pattern: NodePath,
  value: FollowedValue | undefined,
  identifier: Node,
): FollowedValue | undefined {
  if (pattern.node === identifier) return value
  if (pattern.isAssignmentPattern()) {
    return patternValue(pathOf(pattern, 'left'), anyOf([value, evaluate(pathOf(pattern, 'right'))]), identifier)
  }
  if (pattern.isRestElement()) return patternValue(pathOf(pattern, 'argument'), value, identifier)
  if (pattern.isArrayPattern()) {
    const holder = pathsOf(pattern, 'elements').find((each) => each.node && holds(each, identifier))
    return holder && patternValue(holder, elementOf(value), identifier)
  }
  if (!pattern.isObjectPattern()) return undefined
  const holder = pathsOf(pattern, 'properties').find((each) => holds(each, identifier))
  if (!holder?.isObjectProperty()) return holder && patternValue(holder, value, identifier)
  const name = nameOf(holder)
  return name === undefined ? undefined : patternValue(pathOf(holder, 'value'), memberOf(value, name), identifier)
}

function holds(path: NodePath, { start, end }: Node): boolean {
  return (path.node.start ?? 0) <= (start ?? 0) && (end ?? 0) <= (path.node.end ?? 0)
}

function importedValue(path: NodePath): FollowedValue | undefined {
  const { source } = path.parent as { source?: { value: string } } & Node
  const module = moduleNamed(path, source?.value ?? '')
  if (path.isImportNamespaceSpecifier()) return module
  const { imported } = path.node as { imported?: Node } & Node
  return memberOf(module, imported ? (keyOf(imported, false) ?? '') : 'default')
}

/** `import svc = require('@svc/client')` */
function importEquals(path: NodePath): FollowedValue | undefined {
  const reference = pathOf(path, 'moduleReference')
  if (!reference.isTSExternalModuleReference()) return undefined
  return moduleNamed(path, reference.node.expression.value)
}
