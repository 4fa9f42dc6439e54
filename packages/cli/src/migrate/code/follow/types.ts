import type { NodePath } from '@babel/traverse'
import type { Node, TSEntityName, TSImportType } from '@babel/types'
import { own } from '@svc/core/own'
import { instanceOf, resultOf } from './calls.ts'
import { evaluate } from './evaluate.ts'
import { memberOf } from './members.ts'
import { moduleNamed } from './modules.ts'
import {
  anyOf,
  FOREIGN,
  type FollowedValue,
  keyOf,
  nameOf,
  pathOf,
  pathsOf,
  readOnce,
  typeArgumentsOf,
} from './value.ts'

/** Returns the value of the type annotation of a variable, parameter, field or function; undefined without one. */
export function annotationValue(path: NodePath, key = 'typeAnnotation'): FollowedValue | undefined {
  const annotation = pathOf(path, key)
  if (annotation.node) return typeValue(pathOf(annotation, 'typeAnnotation'))
  return jsdocType(path)
}

export function typeValue(path: NodePath): FollowedValue | undefined {
  return readOnce(path, known, () => {
    const reader = own(READERS, path.node.type)
    if (reader) return reader(path)
    return path.isTSAnyKeyword() || path.isTSUnknownKeyword() ? undefined : FOREIGN
  })
}

const known = new WeakMap<Node, { value: FollowedValue | undefined }>()

const READERS: Readonly<Record<string, (path: NodePath) => FollowedValue | undefined>> = {
  TSTypeReference: (path) => reference(path),
  TSExpressionWithTypeArguments: (path) => named(pathOf(path, 'expression')),
  TSUnionType: (path) => anyOf(pathsOf(path, 'types').filter(isSomething).map(typeValue)),
  TSIntersectionType: (path) => anyOf(pathsOf(path, 'types').map(typeValue)),
  TSParenthesizedType: (path) => typeValue(pathOf(path, 'typeAnnotation')),
  TSTypeOperator: (path) => typeValue(pathOf(path, 'typeAnnotation')),
  TSTypeLiteral: (path) => ({ kind: 'shape', at: path as never }),
  TSInterfaceBody: (path) => ({ kind: 'shape', at: path as never }),
  TSTypeQuery: (path) => namedValue(pathOf(path, 'exprName')),
  TSImportType: (path) => {
    const { qualifier, argument } = path.node as TSImportType
    const module = moduleNamed(path, argument.value)
    return qualifier ? instanceOf(namesIn(qualifier).reduce(memberOf, module)) : module
  },
  TSIndexedAccessType: (path) => {
    const { indexType } = path.node as unknown as { indexType: { literal?: Node } }
    const key = indexType.literal && keyOf(indexType.literal, true)
    return key === undefined ? undefined : memberOf(typeValue(pathOf(path, 'objectType')), key)
  },
}

const isSomething = (path: NodePath) => !path.isTSNullKeyword() && !path.isTSUndefinedKeyword()

/** Generic types that have the value of their type argument. */
const TRANSPARENT = new Set([
  'Promise',
  'PromiseLike',
  'Awaited',
  'Readonly',
  'NonNullable',
  'Partial',
  'Required',
  'Pick',
  'Omit',
])

function reference(path: NodePath): FollowedValue | undefined {
  const name = pathOf(path, 'typeName')
  const [first] = typeArgumentsOf(path)
  if (name.isIdentifier() && first) {
    if (TRANSPARENT.has(name.node.name)) return typeValue(first)
    if (name.node.name === 'InstanceType') return instanceOf(typeValue(first))
    if (name.node.name === 'ReturnType') return resultOf(typeValue(first))
  }
  return named(name)
}

function named(path: NodePath): FollowedValue | undefined {
  if (path.isIdentifier()) {
    const declared = typeDeclaredIn(path, path.node.name)
    if (declared?.isTSInterfaceDeclaration()) return interfaceValue(declared)
    if (declared?.isTSTypeAliasDeclaration()) return typeValue(pathOf(declared, 'typeAnnotation'))
    const parameter = typeParameter(path, path.node.name)
    if (parameter) return pathOf(parameter, 'constraint').node ? typeValue(pathOf(parameter, 'constraint')) : undefined
    if (!path.scope.getBinding(path.node.name)) return FOREIGN
  }
  return instanceOf(namedValue(path))
}

export function namedValue(path: NodePath): FollowedValue | undefined {
  if (path.isTSQualifiedName()) return memberOf(namedValue(pathOf(path, 'left')), path.node.right.name)
  if (path.isMemberExpression()) return memberOf(namedValue(pathOf(path, 'object')), nameOf(path) ?? '')
  return path.isTSImportType() ? typeValue(path) : evaluate(path)
}

function interfaceValue(path: NodePath): FollowedValue | undefined {
  const body: FollowedValue = { kind: 'shape', at: pathOf(path, 'body') as never }
  const read = () => {
    const extended = (path.node as { extends?: unknown[] | null } & Node).extends?.length
    const above = extended ? pathsOf(path, 'extends').map((each) => named(pathOf(each, 'expression'))) : []
    return above.find((each) => each?.kind === 'client') ?? body
  }
  return readOnce(path, known, read, body)
}

/** Returns the declaration of an interface or type alias, which Babel's scopes do not have. */
export function typeDeclaredIn(from: NodePath, name: string): NodePath | undefined {
  for (let at: NodePath | null = from; at; at = at.parentPath) {
    if (!at.isProgram() && !at.isBlockStatement() && !at.isTSModuleBlock()) continue
    for (const statement of pathsOf(at, 'body')) {
      const declared = statement.isExportNamedDeclaration() ? pathOf(statement, 'declaration') : statement
      const isType = declared.isTSInterfaceDeclaration() || declared.isTSTypeAliasDeclaration()
      if (isType && (declared.node as { id: { name: string } }).id.name === name) return declared
    }
  }
  return undefined
}

/** Returns a type parameter in scope: `C extends SvcClient`. */
function typeParameter(from: NodePath, name: string): NodePath | undefined {
  for (let at: NodePath | null = from; at; at = at.parentPath) {
    const own = typeArgumentsOf(at).find((each) => each.isTSTypeParameter() && each.node.name === name)
    if (own) return own
  }
  return undefined
}

function namesIn(name: TSEntityName | Node): string[] {
  if (name.type === 'TSQualifiedName') return [...namesIn(name.left), name.right.name]
  return name.type === 'Identifier' ? [name.name] : []
}

/** Returns the type from JSDoc: `@type {SvcClient}`, `@param {SvcClient} client`. */
function jsdocType(path: NodePath): FollowedValue | undefined {
  const name = path.isIdentifier() ? path.node.name : undefined
  const comments = [path, path.parentPath, path.parentPath?.parentPath, path.parentPath?.parentPath?.parentPath]
    .flatMap((each) => each?.node.leadingComments ?? [])
    .map(({ value }) => value)
  for (const comment of comments) {
    for (const [, tag, type = '', about] of comment.matchAll(/@(type|param)\s*\{([^}]*)\}\s*\[?(\w+)?/g)) {
      if (tag === 'param' ? about === name : path.key === 'id' || path.isClassProperty()) {
        if (/(^|[^\w])SvcClient$/.test(type.trim())) return { kind: 'client', path: [] }
      }
    }
  }
  return undefined
}
