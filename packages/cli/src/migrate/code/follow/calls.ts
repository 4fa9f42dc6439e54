import type { NodePath } from '@babel/traverse'
import { own } from '@svc/core/own'
import { table } from '../tables/table.ts'
import { evaluate } from './evaluate.ts'
import { isClientClass, returned } from './members.ts'
import { moduleNamed } from './modules.ts'
import { typeValue } from './types.ts'
import {
  FOREIGN,
  type FollowedValue,
  isOurs,
  nameOf,
  pathOf,
  pathsOf,
  propertyNamed,
  typeArgumentsOf,
} from './value.ts'

/** Return values of our functions. */
const RESULTS = table<FollowedValue>({
  'dataset.get': { kind: 'dataset' },
  getDataset: { kind: 'dataset' },
  'prompt.get': { kind: 'prompt' },
  getPrompt: { kind: 'prompt' },
})

export function callValue(path: NodePath): FollowedValue | undefined {
  const callee = pathOf(path, 'callee')
  const [first] = pathsOf(path, 'arguments')
  const required = requiredModule(path)
  if (required !== undefined) return moduleNamed(path, required)
  const value = evaluate(callee)
  if (callee.isMemberExpression() || callee.isOptionalMemberExpression()) {
    const ours = methodResult(path, callee)
    if (ours) return ours
  }
  if (isInstanceLookup(callee) && (isClientClass(evaluate(first)) || isTypedAsClient(path)))
    return { kind: 'client', path: [] }
  if (value?.kind === 'client') return RESULTS[value.path.join('.')] ?? FOREIGN
  if (value?.kind === 'module') return moduleResult(path, value)
  if (value?.kind === 'function') return returned(value.at)
  // The result is unknown if a client may have been passed: `cache(() => new SvcClient())`, `useContext(Svc)`.
  return value?.kind === 'foreign' && !isGivenOurs(path) ? FOREIGN : undefined
}

/** Whether an argument or type argument of a call is ours, or may be. */
function isGivenOurs(path: NodePath): boolean {
  const values = pathsOf(path, 'arguments').map((each) => {
    const value = evaluate(each)
    return value?.kind === 'function' ? returned(value.at) : value
  })
  return [...values, ...typeArgumentsOf(path).map(typeValue)].some((value) => value === undefined || isOurs(value))
}

export function newValue(path: NodePath): FollowedValue | undefined {
  const value = evaluate(pathOf(path, 'callee'))
  if (value === undefined) return undefined
  return instanceOf(value)
}

export function instanceOf(value: FollowedValue | undefined): FollowedValue | undefined {
  if (isClientClass(value)) return { kind: 'client', path: [] }
  if (value?.kind === 'class') return { kind: 'instance', at: value.at }
  if (value?.kind === 'module') return own(TYPES, `${value.name} ${value.path.join('.')}`) ?? FOREIGN
  return value
}

/** Values of our types. */
const TYPES = table<FollowedValue>({
  ...Object.fromEntries(
    [
      'Span',
      'Agent',
      'Tool',
      'Chain',
      'Retriever',
      'Generation',
      'Evaluator',
      'Guardrail',
      'Embedding',
      'Observation',
    ].map((each): [string, FollowedValue] => [`@svc/tracing Svc${each}`, { kind: 'span', isRoot: true }]),
  ),
  '@svc/client Evaluator': { kind: 'evaluator' },
})

/** Returns the return value of a function, ours or of the file. */
export function resultOf(value: FollowedValue | undefined): FollowedValue | undefined {
  if (value?.kind === 'function') return returned(value.at)
  return value?.kind === 'client' ? (RESULTS[value.path.join('.')] ?? FOREIGN) : value && FOREIGN
}

/** Returns the module name of `require('…')` and `import('…')`. */
export function requiredModule(path: NodePath): string | undefined {
  const callee = pathOf(path, 'callee')
  const [first] = pathsOf(path, 'arguments')
  if (!first?.isStringLiteral()) return undefined
  const isRequire = callee.isIdentifier({ name: 'require' }) && !path.scope.getBinding('require')
  return isRequire || callee.isImport() ? first.node.value : undefined
}

function methodResult(path: NodePath, callee: NodePath): FollowedValue | undefined {
  const object = evaluate(pathOf(callee, 'object'))
  const name = nameOf(callee)
  if (object?.kind === 'span') {
    if (name === 'startObservation') return { kind: 'span', isRoot: false, isEvent: isEvent(path) }
    return name === 'update' || name === 'updateTrace' ? object : FOREIGN
  }
  // Chains like `new SvcClient().on(…)`, and `promise.then(…)`, are not followed.
  return name === 'bind' && object?.kind === 'client' ? object : undefined
}

function moduleResult(path: NodePath, { name, path: names }: FollowedValue & { kind: 'module' }): FollowedValue {
  if (name !== '@svc/tracing' || names[0] !== 'startObservation') return FOREIGN
  return { kind: 'span', isRoot: isRootSpan(path), isEvent: isEvent(path) }
}

const isEvent = (call: NodePath): boolean => {
  const options = pathsOf(call, 'arguments')[2]
  const type = options?.isObjectExpression() ? propertyNamed(options, 'asType') : undefined
  return type !== undefined && pathOf(type, 'value').isStringLiteral({ value: 'event' })
}

/** Returns the nearest function around that is given to `startActiveObservation` or `observe`. */
export function observationAround(path: NodePath): NodePath | null {
  return path.findParent((each) => {
    if (!each.isFunction() || each.listKey !== 'arguments' || !each.parentPath?.isCallExpression()) return false
    const callee = evaluate(pathOf(each.parentPath, 'callee'))
    return (
      callee?.kind === 'module' &&
      callee.name === '@svc/tracing' &&
      /^(startActiveObservation|observe)$/.test(callee.path[0] ?? '')
    )
  })
}

/** Whether an observation has no parent, as far as the file shows. */
export function isRootSpan(call: NodePath): boolean {
  const options = pathsOf(call, 'arguments').some(
    (each) => each.isObjectExpression() && /parentSpanContext/.test(each.toString()),
  )
  return observationAround(call) === null && !options
}

const LOOKUP = new Set(['get', 'resolve', 'inject'])

/** Whether a call has the client as its type: `app.get<SvcClient>(SVC)`. */
function isTypedAsClient(call: NodePath): boolean {
  const [type] = typeArgumentsOf(call)
  const value = type && typeValue(type)
  return value?.kind === 'client' && value.path.length === 0
}

/** Whether a call gets an instance from a container: `app.get(SvcClient)`. */
function isInstanceLookup(callee: NodePath): boolean {
  const name = callee.isMemberExpression() ? nameOf(callee) : callee.isIdentifier() ? callee.node.name : ''
  return LOOKUP.has(name ?? '')
}
