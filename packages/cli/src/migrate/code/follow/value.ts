import type { NodePath } from '@babel/traverse'
import type {
  Class,
  Function as FunctionNode,
  Node,
  ObjectExpression,
  TSInterfaceBody,
  TSTypeLiteral,
} from '@babel/types'

/** The value of an expression, as far as it can be derived. Undefined if it is unknown. */
export type FollowedValue =
  /** A client of version 5, or its member at `path`. */
  | { readonly kind: 'client'; readonly path: readonly string[] }
  /** One of our modules, or its export at `path`. */
  | { readonly kind: 'module'; readonly name: string; readonly path: readonly string[] }
  /** An observation. `isRoot` is false if it has a parent. */
  | { readonly kind: 'span'; readonly isRoot: boolean; readonly isEvent?: boolean }
  | { readonly kind: 'dataset' | 'items' | 'item' | 'prompt' | 'evaluator' | 'foreign' }
  | { readonly kind: 'file'; readonly program: NodePath }
  | { readonly kind: 'function'; readonly at: NodePath<FunctionNode> }
  | { readonly kind: 'class' | 'instance'; readonly at: NodePath<Class> }
  | { readonly kind: 'object'; readonly at: NodePath<ObjectExpression> }
  /** An object described by an interface or object type. */
  | { readonly kind: 'shape'; readonly at: NodePath<TSInterfaceBody | TSTypeLiteral> }

/** A value that is certainly not ours. */
export const FOREIGN: FollowedValue = { kind: 'foreign' }

const OURS = new Set(['client', 'module', 'span', 'dataset', 'items', 'item', 'prompt', 'evaluator'])

export const isOurs = (value: FollowedValue | undefined): boolean => value !== undefined && OURS.has(value.kind)

/** Returns the first value that is ours; foreign only if all are. */
export function anyOf(values: readonly (FollowedValue | undefined)[]): FollowedValue | undefined {
  return (
    values.find(isOurs) ??
    values.find((value) => value && value.kind !== 'foreign') ??
    (values.length > 0 && values.every((value) => value) ? FOREIGN : undefined)
  )
}

/** Returns the name of a member or key, if it is a literal. */
export function keyOf(key: Node, computed: boolean): string | undefined {
  if (key.type === 'StringLiteral') return key.value
  if (key.type === 'PrivateName') return `#${key.id.name}`
  if (key.type === 'NumericLiteral') return String(key.value)
  return !computed && key.type === 'Identifier' ? key.name : undefined
}

/** Returns the name of a member, property or field, if it is a literal: `a.name`, `a['name']`, `{ name: 1 }`. */
export function nameOf({ node }: { readonly node: object }): string | undefined {
  const { key, property = key, computed = false } = node as { key?: Node; property?: Node; computed?: boolean }
  return property && keyOf(property, computed)
}

/** Returns the property of an object literal with a name and a value. */
export function propertyNamed(object: NodePath, name: string): NodePath | undefined {
  return pathsOf(object, 'properties').find((each) => each.isObjectProperty() && nameOf(each) === name)
}

/** Reads a node once. Until it is read its value is undefined, which ends cycles. */
export function readOnce(
  { node }: NodePath,
  known: WeakMap<Node, { value: FollowedValue | undefined }>,
  read: () => FollowedValue | undefined,
  meanwhile?: FollowedValue,
): FollowedValue | undefined {
  const seen = known.get(node)
  if (seen) return seen.value
  const entry = { value: meanwhile }
  known.set(node, entry)
  entry.value = read()
  return entry.value
}

export function typeArgumentsOf(path: NodePath): NodePath[] {
  const list = pathOf(path, 'typeParameters')
  return list.node ? pathsOf(list, 'params') : []
}

/** Returns the paths of a list of nodes. */
export function pathsOf(path: NodePath, key: string): NodePath[] {
  return [get(path, key)].flat()
}

export function pathOf(path: NodePath, key: string): NodePath {
  return get(path, key) as NodePath
}

/** With the types of Babel the compiler would look for the key in each kind of node there is, for seconds at each call. */
function get(path: unknown, key: string): NodePath | NodePath[] {
  return (path as { get(key: string): NodePath | NodePath[] }).get(key)
}
