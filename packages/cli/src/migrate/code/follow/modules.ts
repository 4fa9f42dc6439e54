import type { NodePath } from '@babel/traverse'
import type { Node } from '@babel/types'
import { bindingValue } from './bindings.ts'
import { evaluate } from './evaluate.ts'
import { placeOf } from './files.ts'
import { memberOf } from './members.ts'
import { typeDeclaredIn, typeValue } from './types.ts'
import { FOREIGN, type FollowedValue, keyOf, pathOf, pathsOf } from './value.ts'

/** Returns the module that a file imports by a name. */
export function moduleNamed(from: NodePath, name: string): FollowedValue | undefined {
  if (name.startsWith('@svc/')) return { kind: 'module', name, path: [] }
  const place = placeOf(from)
  const found = place?.files.resolve(place.path, name)
  if (found === 'foreign') return FOREIGN
  const program = found && place?.files.open(found.path)
  if (!program) return undefined
  return assignedExports(program)[''] ?? { kind: 'file', program }
}

/** Returns the value that a file exports under a name. */
export function exportOf(program: NodePath, name: string): FollowedValue | undefined {
  for (const statement of pathsOf(program, 'body')) {
    if (statement.isExportNamedDeclaration()) {
      const value = namedExport(program, statement, name)
      if (value !== NOT_HERE) return value
    } else if (statement.isExportDefaultDeclaration() && name === 'default') {
      return valueOfDeclaration(pathOf(statement, 'declaration'))
    }
  }
  return assignedExports(program)[name] ?? fromStars(program, name)
}

const NOT_HERE = Symbol('not here')

function namedExport(
  program: NodePath,
  statement: NodePath,
  name: string,
): FollowedValue | undefined | typeof NOT_HERE {
  const { source, declaration } = statement.node as object as {
    source?: { value: string } | null
    declaration?: Node | null
  }
  if (declaration) {
    const binding = program.scope.getOwnBinding(name)
    if (binding?.path.findParent((each) => each === statement)) return bindingValue(binding)
    const type = typeDeclaredIn(program, name)
    return type?.parentPath === statement ? typeOf(type) : NOT_HERE
  }
  for (const specifier of pathsOf(statement, 'specifiers')) {
    const { exported, local } = specifier.node as { exported: Node; local?: Node } & Node
    if (keyOf(exported, false) !== name) continue
    const module = source ? moduleNamed(program, source.value) : undefined
    if (!local) return module
    const localName = keyOf(local, false) ?? ''
    if (source) return memberOf(module, localName)
    const binding = program.scope.getOwnBinding(localName)
    return binding && bindingValue(binding)
  }
  return NOT_HERE
}

function typeOf(declared: NodePath): FollowedValue | undefined {
  return typeValue(pathOf(declared, declared.isTSInterfaceDeclaration() ? 'body' : 'typeAnnotation'))
}

function valueOfDeclaration(path: NodePath): FollowedValue | undefined {
  if (path.isClassDeclaration()) return { kind: 'class', at: path }
  return path.isFunctionDeclaration() ? { kind: 'function', at: path } : evaluate(path)
}

/** The names that matter in `export * from '@svc/…'`. */
const EXPORTED = /^(Svc\w+|start(Active)?Observation|observe\w*|setActiveTraceIO|createTraceAttributes)$/

function fromStars(program: NodePath, name: string): FollowedValue | undefined {
  for (const statement of pathsOf(program, 'body')) {
    if (!statement.isExportAllDeclaration()) continue
    const module = moduleNamed(program, statement.node.source.value)
    const isUnknown = module?.kind === 'module' && !EXPORTED.test(name)
    const value = isUnknown ? undefined : memberOf(module, name)
    if (value && value.kind !== 'foreign') return value
  }
  return undefined
}

const found = new WeakMap<Node, Record<string, FollowedValue | undefined>>()

/**
 * Returns CommonJS exports: `module.exports = …` (with the empty name), `module.exports.client = …`,
 * `exports.client = …`.
 */
function assignedExports(program: NodePath): Record<string, FollowedValue | undefined> {
  const seen = found.get(program.node)
  if (seen) return seen
  const exported: Record<string, FollowedValue | undefined> = Object.create(null)
  found.set(program.node, exported)
  for (const statement of pathsOf(program, 'body')) {
    const assignment = statement.isExpressionStatement() ? pathOf(statement, 'expression') : statement
    if (statement.isTSExportAssignment()) exported[''] = evaluate(pathOf(statement, 'expression'))
    if (!assignment.isAssignmentExpression({ operator: '=' })) continue
    const left = writeName(pathOf(assignment, 'left').node)
    const name = /^(?:module\.)?exports(?:\.(\w+))?$/.exec(left)
    if (name) exported[left === 'module.exports' ? '' : (name[1] ?? '')] = evaluate(pathOf(assignment, 'right'))
  }
  return exported
}

function writeName(node: Node): string {
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression') return ''
  return `${writeName(node.object)}.${keyOf(node.property, node.computed) ?? ''}`
}
