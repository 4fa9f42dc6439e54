import type { NodePath } from '@babel/traverse'
import type {
  Class,
  Function as FunctionNode,
  Node,
  ObjectExpression,
  TSInterfaceBody,
  TSTypeLiteral,
} from '@babel/types'

/** What an expression stands for, as far as it can be followed. Undefined stands for: nobody can know. */
export type Value =
  /** A client, or the member of one at `path`, as version 5 had it. */
  | { readonly kind: 'client'; readonly path: readonly string[] }
  /** A module of ours, or what it exports under `path`. */
  | { readonly kind: 'module'; readonly name: string; readonly path: readonly string[] }
  /** An observation. `isRoot` is false where another one is around it. */
  | { readonly kind: 'span'; readonly isRoot: boolean; readonly isEvent?: boolean }
  | { readonly kind: 'dataset' | 'items' | 'item' | 'prompt' | 'evaluator' | 'foreign' }
  | { readonly kind: 'file'; readonly program: NodePath }
  | { readonly kind: 'function'; readonly at: NodePath<FunctionNode> }
  | { readonly kind: 'class' | 'instance'; readonly at: NodePath<Class> }
  | { readonly kind: 'object'; readonly at: NodePath<ObjectExpression> }
  /** What an interface or an object type describes. */
  | { readonly kind: 'shape'; readonly at: NodePath<TSInterfaceBody | TSTypeLiteral> }

/** What is certainly none of ours. */
export const FOREIGN: Value = { kind: 'foreign' }

const OURS = new Set(['client', 'module', 'span', 'dataset', 'items', 'item', 'prompt', 'evaluator'])

export const isOurs = (value: Value | undefined): boolean => value !== undefined && OURS.has(value.kind)

/** The first that is ours; foreign only where all are. */
export function anyOf(values: readonly (Value | undefined)[]): Value | undefined {
  return (
    values.find(isOurs) ??
    values.find((value) => value && value.kind !== 'foreign') ??
    (values.length > 0 && values.every((value) => value) ? FOREIGN : undefined)
  )
}

/** The name of a member or a key, where it is written down. */
export function keyOf(key: Node, computed: boolean): string | undefined {
  if (key.type === 'StringLiteral') return key.value
  if (key.type === 'PrivateName') return `#${key.id.name}`
  if (key.type === 'NumericLiteral') return String(key.value)
  return !computed && key.type === 'Identifier' ? key.name : undefined
}

/** A path for each of several nodes. */
export function pathsOf(path: NodePath, key: string): NodePath[] {
  const found = path.get(key)
  return Array.isArray(found) ? found : [found]
}

export function pathOf(path: NodePath, key: string): NodePath {
  return path.get(key) as NodePath
}
