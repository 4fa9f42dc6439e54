import type { NodePath } from '@babel/traverse'
import type { Node } from '@babel/types'
import { own } from '@svc/core/own'
import { bindingValue } from './bindings.ts'
import { callValue, newValue } from './calls.ts'
import { elementOf, memberOf } from './members.ts'
import { typeValue } from './types.ts'
import { anyOf, FOREIGN, type FollowedValue, nameOf, pathOf, pathsOf, readOnce } from './value.ts'

const known = new WeakMap<Node, { value: FollowedValue | undefined }>()

/** Returns the value of an expression. */
export function evaluate(path: NodePath | undefined): FollowedValue | undefined {
  if (!path?.node) return undefined
  const { type } = path.node
  return readOnce(path, known, () => own(READERS, type)?.(path) ?? (LITERAL.test(type) ? FOREIGN : undefined))
}

const LITERAL = /Literal$|^(Update|Unary|Binary)Expression$|^JSX/

const inside = (key: string) => (path: NodePath) => evaluate(pathOf(path, key))
const cast = (path: NodePath): FollowedValue | undefined => {
  const value = typeValue(pathOf(path, 'typeAnnotation'))
  return value && value.kind !== 'foreign' ? value : evaluate(pathOf(path, 'expression'))
}

const READERS: Readonly<Record<string, (path: NodePath) => FollowedValue | undefined>> = {
  Identifier: (path) => identifier(path),
  ThisExpression: (path) => thisValue(path),
  Super: (path) => thisValue(path),
  MemberExpression: (path) => member(path),
  OptionalMemberExpression: (path) => member(path),
  CallExpression: callValue,
  OptionalCallExpression: callValue,
  NewExpression: newValue,
  AwaitExpression: inside('argument'),
  TSNonNullExpression: inside('expression'),
  TSSatisfiesExpression: inside('expression'),
  TSInstantiationExpression: inside('expression'),
  TSAsExpression: cast,
  TSTypeAssertion: cast,
  AssignmentExpression: inside('right'),
  LogicalExpression: (path) => anyOf([evaluate(pathOf(path, 'left')), evaluate(pathOf(path, 'right'))]),
  ConditionalExpression: (path) => anyOf([evaluate(pathOf(path, 'consequent')), evaluate(pathOf(path, 'alternate'))]),
  SequenceExpression: (path) => evaluate(pathsOf(path, 'expressions').at(-1)),
  ArrowFunctionExpression: (path) => ({ kind: 'function', at: path as never }),
  FunctionExpression: (path) => ({ kind: 'function', at: path as never }),
  ObjectExpression: (path) => ({ kind: 'object', at: path as never }),
  ClassExpression: (path) => ({ kind: 'class', at: path as never }),
  ArrayExpression: () => undefined,
}

function identifier(path: NodePath): FollowedValue | undefined {
  const { name } = path.node as { name: string } & Node
  const binding = path.scope.getBinding(name)
  if (binding) return bindingValue(binding)
  return name === 'undefined' ? FOREIGN : GLOBALS.has(name) ? FOREIGN : undefined
}

/** Without those on which an app may store a client: `globalThis`, `global`, `window`. */
const GLOBALS = new Set(['console', 'document', 'process', 'JSON', 'Object', 'Array', 'Math', 'Promise', 'Reflect'])

function thisValue(path: NodePath): FollowedValue | undefined {
  const owner = path.findParent((each) => each.isClass() || (each.isFunction() && !each.isArrowFunctionExpression()))
  const at = owner?.isClass() ? owner : owner?.findParent((each) => each.isClass() || each.isObjectExpression())
  if (at?.isClass()) return { kind: 'instance', at }
  return at?.isObjectExpression() ? { kind: 'object', at } : undefined
}

function member(path: NodePath): FollowedValue | undefined {
  const { computed } = path.node as { computed: boolean } & Node
  const object = evaluate(pathOf(path, 'object'))
  const name = nameOf(path)
  if (object?.kind === 'items' && (computed || name === 'at')) return elementOf(object)
  return name === undefined ? undefined : memberOf(object, name)
}
