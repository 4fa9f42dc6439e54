import type { Binding, NodePath } from '@babel/traverse'
import type { Node } from '@babel/types'
import { patternValue } from './bindings.ts'
import { isRootSpan } from './calls.ts'
import { evaluate } from './evaluate.ts'
import { elementOf } from './members.ts'
import { annotationValue } from './types.ts'
import { anyOf, type FollowedValue, isOurs, nameOf, pathOf, pathsOf } from './value.ts'

/** Returns the value of a parameter: from its type, its default, or the arguments of calls. */
export function parameterValue({ path, identifier, scope }: Binding): FollowedValue | undefined {
  const owner = path.isFunction() ? path : (path.findParent((each) => each.isFunction()) ?? scope.path)
  const parameters = pathsOf(owner, 'params')
  const at = parameters.findIndex(
    ({ node }) => (node.start ?? 0) <= (identifier.start ?? 0) && (identifier.end ?? 0) <= (node.end ?? 0),
  )
  const parameter = parameters[at]
  if (!parameter) return undefined
  const whole = parameter.isTSParameterProperty() ? pathOf(parameter, 'parameter') : parameter
  const pattern = whole.isAssignmentPattern() ? pathOf(whole, 'left') : whole
  const value =
    annotationValue(pattern) ?? givenTo(owner, at) ?? (pattern === whole ? undefined : evaluate(pathOf(whole, 'right')))
  return patternValue(pattern, value, identifier)
}

const EACH = new Set(['map', 'forEach', 'filter', 'find', 'some', 'every', 'flatMap', 'findLast'])

/** Returns the value of argument number `at` in the calls of a function. */
function givenTo(owner: NodePath, at: number): FollowedValue | undefined {
  const call = owner.parentPath
  if (owner.listKey === 'arguments' && call?.isCallExpression()) return fromCallee(call, at)
  const callers = callsOf(owner)
  const values = callers.map((each) => evaluate(pathsOf(each, 'arguments')[at]))
  return values.some(isOurs) ? anyOf(values) : undefined
}

function fromCallee(call: NodePath, at: number): FollowedValue | undefined {
  const callee = pathOf(call, 'callee')
  const value = evaluate(callee)
  if (value?.kind === 'module' && value.name === '@svc/tracing' && value.path[0] === 'startActiveObservation') {
    return at === 0 ? { kind: 'span', isRoot: isRootSpan(call) } : undefined
  }
  if (!callee.isMemberExpression() || at !== 0) return undefined
  const list = evaluate(pathOf(callee, 'object'))
  return EACH.has(nameOf(callee) ?? '') && list?.kind === 'items' ? elementOf(list) : undefined
}

/** Returns the calls, in its file, of a named function or a constructor. */
function callsOf(owner: NodePath): NodePath[] {
  const isConstructor = owner.isClassMethod({ kind: 'constructor' })
  const holder = isConstructor ? owner.parentPath.parentPath : owner.isFunctionDeclaration() ? owner : owner.parentPath
  const isNamed = holder?.isFunctionDeclaration() || holder?.isVariableDeclarator() || holder?.isClassDeclaration()
  const id = isNamed ? (holder.node.id as Node | null) : undefined
  if (!holder || id?.type !== 'Identifier') return []
  const references = holder.parentPath?.scope.getBinding(id.name)?.referencePaths ?? []
  return references.flatMap(({ parentPath, key }) => {
    const isCall = isConstructor ? parentPath?.isNewExpression() : parentPath?.isCallExpression()
    return parentPath && isCall && key === 'callee' ? [parentPath] : []
  })
}
