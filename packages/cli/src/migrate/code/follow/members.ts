import type { NodePath } from '@babel/traverse'
import type { Class, Node, ObjectExpression } from '@babel/types'
import { evaluate } from './evaluate.ts'
import { exportOf } from './modules.ts'
import { annotationValue } from './types.ts'
import { anyOf, FOREIGN, type FollowedValue, nameOf, pathOf, pathsOf } from './value.ts'

/** More than any file needs. What spreads itself twice, again and again, would take for ever. */
const MOST_STEPS = 200_000
let steps = 0

/** To be called for each file. */
export function startCounting(): void {
  steps = 0
}

/** Returns the member of a value. @throws {RangeError} if a file needs too many steps */
export function memberOf(value: FollowedValue | undefined, name: string): FollowedValue | undefined {
  steps += 1
  if (steps > MOST_STEPS) throw new RangeError('it refers to itself too often')
  switch (value?.kind) {
    case undefined:
      return undefined
    case 'client':
    case 'module':
      return { ...value, path: [...value.path, name] }
    case 'dataset':
      return name === 'items' ? { kind: 'items' } : FOREIGN
    case 'file':
      return exportOf(value.program, name)
    case 'object':
      return once(value.at, () => propertyOf(value.at, name))
    case 'shape':
      return signatureOf(pathsOf(value.at, value.at.isTSTypeLiteral() ? 'members' : 'body'), name)
    case 'class':
    case 'instance':
      return once(value.at, () => classMember(value.at, name, value.kind === 'class'))
    case 'foreign':
      // The app may have stored a client on a value of another library: `fastify.svc`.
      return undefined
    default:
      return FOREIGN
  }
}

const underWay = new Set<Node>()

/** Evaluates members of an object or class, except while it is being evaluated already: `state = { ...state }`. */
function once({ node }: NodePath, look: () => FollowedValue | undefined): FollowedValue | undefined {
  if (underWay.has(node)) return undefined
  underWay.add(node)
  try {
    return look()
  } finally {
    underWay.delete(node)
  }
}

/** Returns the element of a list. */
export function elementOf(value: FollowedValue | undefined): FollowedValue | undefined {
  return value?.kind === 'items' ? { kind: 'item' } : value?.kind === 'foreign' ? FOREIGN : undefined
}

function propertyOf(at: NodePath<ObjectExpression>, name: string): FollowedValue | undefined {
  for (const property of pathsOf(at, 'properties')) {
    if (property.isSpreadElement()) {
      const spread = memberOf(evaluate(pathOf(property, 'argument')), name)
      if (spread && spread.kind !== 'foreign') return spread
      continue
    }
    if (nameOf(property) !== name) continue
    if (property.isObjectMethod()) return isGetter(property) ? returned(property) : { kind: 'function', at: property }
    return evaluate(pathOf(property, 'value'))
  }
  return undefined
}

function signatureOf(members: readonly NodePath[], name: string): FollowedValue | undefined {
  const signature = members.find((each) => nameOf(each) === name)
  return signature ? annotationValue(signature) : FOREIGN
}

function classMember(at: NodePath<Class>, name: string, isStatic: boolean): FollowedValue | undefined {
  const members = pathsOf(pathOf(at, 'body'), 'body')
  for (const each of members) {
    const { static: ofClass = false } = each.node as { static?: boolean } & Node
    if (nameOf(each) !== name || ofClass !== isStatic) continue
    if (each.isClassMethod() || each.isClassPrivateMethod()) {
      return isGetter(each) ? returned(each) : { kind: 'function', at: each as never }
    }
    return annotationValue(each) ?? evaluate(pathOf(each, 'value')) ?? anyOf(assigned(at, name))
  }
  const parameter = parameterProperty(members, name)
  if (parameter) return annotationValue(parameter)
  const values = assigned(at, name)
  return values.length > 0 ? anyOf(values) : inherited(at, name, isStatic)
}

/** Returns the parameter property with a name: `constructor(private readonly svc: SvcClient)`. */
function parameterProperty(members: readonly NodePath[], name: string): NodePath | undefined {
  const made = members.find((each) => each.isClassMethod({ kind: 'constructor' }))
  const named = (made ? pathsOf(made, 'params') : []).flatMap((each) => {
    if (!each.isTSParameterProperty()) return []
    const parameter = pathOf(each, 'parameter')
    return parameter.isAssignmentPattern() ? pathOf(parameter, 'left') : parameter
  })
  return named.find((each) => each.isIdentifier({ name }))
}

const assignments = new WeakMap<Node, Map<string, NodePath[]>>()

/** Returns the values assigned to a field anywhere in the class: `this.svc = new SvcClient()`. */
function assigned(at: NodePath<Class>, name: string): (FollowedValue | undefined)[] {
  const found = assignments.get(at.node) ?? assignmentsIn(at)
  assignments.set(at.node, found)
  return (found.get(name) ?? []).map(evaluate)
}

function assignmentsIn(at: NodePath<Class>): Map<string, NodePath[]> {
  const found = new Map<string, NodePath[]>()
  at.traverse({
    AssignmentExpression(path) {
      const left = pathOf(path, 'left')
      if (!left.isMemberExpression() || !pathOf(left, 'object').isThisExpression()) return
      const name = nameOf(left)
      if (name !== undefined) found.set(name, [...(found.get(name) ?? []), pathOf(path, 'right')])
    },
  })
  return found
}

function inherited(at: NodePath<Class>, name: string, isStatic: boolean): FollowedValue | undefined {
  const above = pathOf(at, 'superClass')
  if (!above.node) return FOREIGN
  const value = evaluate(above)
  if (value?.kind === 'class') return memberOf({ kind: isStatic ? 'class' : 'instance', at: value.at }, name)
  return isClientClass(value) && !isStatic ? { kind: 'client', path: [name] } : value && FOREIGN
}

/** Returns the path from a client, for clients and instances of its subclasses. */
export function clientPath(value: FollowedValue | undefined): readonly string[] | undefined {
  if (value?.kind === 'client') return value.path
  return value?.kind === 'instance' && extendsClient(value.at) ? [] : undefined
}

function extendsClient(at: NodePath<Class>): boolean {
  const above = evaluate(pathOf(at, 'superClass'))
  return isClientClass(above) || (above?.kind === 'class' && above.at !== at && extendsClient(above.at))
}

export function isClientClass(value: FollowedValue | undefined): boolean {
  return value?.kind === 'module' && value.name === '@svc/client' && value.path.join('.') === 'SvcClient'
}

const isGetter = (path: NodePath): boolean => (path.node as { kind?: string }).kind === 'get'

/** Returns the return value of a function, from its annotation or its return statements. */
export function returned(path: NodePath): FollowedValue | undefined {
  const annotated = annotationValue(path, 'returnType')
  if (annotated) return annotated
  const body = pathOf(path, 'body')
  if (!body.isBlockStatement()) return evaluate(body)
  const values: (FollowedValue | undefined)[] = []
  body.traverse({
    Function: (inner) => inner.skip(),
    ReturnStatement(statement) {
      if (statement.node.argument) values.push(evaluate(pathOf(statement, 'argument')))
    },
  })
  return values.length === 0 ? FOREIGN : anyOf(values)
}
