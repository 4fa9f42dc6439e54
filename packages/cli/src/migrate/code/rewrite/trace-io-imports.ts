import type { NodePath } from '@babel/traverse'
import type { Node } from '@babel/types'
import { removals } from '../edits.ts'
import { bindingValue } from '../follow/bindings.ts'
import { keyOf, pathsOf } from '../follow/value.ts'
import { endOf, type Sheet, startOf } from './sheet.ts'
import { isInner } from './tracing.ts'

const OLD = 'setActiveTraceIO'
const NEW = 'updateActiveObservation'
const LEFT = `${OLD} is gone. Use update on the root, or ${NEW} where the root is the active observation.`

/** A name imported from a module, and its local name. */
interface Taken {
  readonly at: NodePath
  readonly key: Node
  readonly local: string
  readonly isShort: boolean
}

/** Renames `import { setActiveTraceIO } from '@svc/tracing'` and its calls, if all of them can be renamed. */
export function renameImportedTraceIO(declaration: NodePath, sheet: Sheet) {
  const { source } = declaration.node as unknown as { source?: { value: string } | null }
  if (source?.value !== '@svc/tracing') return
  const specifiers = pathsOf(declaration, 'specifiers')
  if (declaration.isExportNamedDeclaration()) {
    const passed = specifiers.find(({ node }) => keyOf((node as unknown as { local: Node }).local, false) === OLD)
    if (passed) sheet.remark('error', passed, 'input-and-output-of-a-trace', LEFT)
    return
  }
  rename(specifiers, taken(specifiers, 'imported', 'local'), sheet)
}

/** Renames `setActiveTraceIO` destructured from `require`. */
export function renameRequiredTraceIO(pattern: NodePath, sheet: Sheet) {
  const properties = pathsOf(pattern, 'properties')
  rename(properties, taken(properties, 'key', 'value'), sheet)
}

function taken(items: readonly NodePath[], key: string, local: string): Taken | undefined {
  for (const at of items) {
    const nodes = at.node as unknown as Record<string, Node | undefined>
    const [from, to] = [nodes[key], nodes[local]]
    if (!from || keyOf(from, false) !== OLD || to?.type !== 'Identifier') continue
    return { at, key: from, local: to.name, isShort: startOf(from) === startOf(to) }
  }
  return undefined
}

function rename(items: readonly NodePath[], old: Taken | undefined, sheet: Sheet) {
  if (!old) return
  const references = old.at.scope.getBinding(old.local)?.referencePaths ?? []
  const isPlain = references.every(({ key, parentPath }) => key === 'callee' && parentPath?.isCallExpression())
  const there = old.at.scope.getBinding(NEW)
  const value = there && bindingValue(there)
  const isTaken = there !== undefined && !(value?.kind === 'module' && value.name === '@svc/tracing')
  if (!isPlain || isTaken || references.some(isInner)) {
    return sheet.remark('error', old.at, 'input-and-output-of-a-trace', LEFT)
  }
  const name = there || old.isShort ? NEW : old.local
  for (const { node } of references) sheet.replace(startOf(node), endOf(node), name)
  if (!there) return sheet.replace(startOf(old.key), endOf(old.key), NEW)
  const places = items.map((each) => ({ start: startOf(each), end: endOf(each), isOld: each === old.at }))
  sheet.edits.push(...removals(places, ({ isOld }) => isOld))
}
