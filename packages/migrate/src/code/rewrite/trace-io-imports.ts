import type { NodePath } from '@babel/traverse'
import { removals } from '../edits.ts'
import { pathOf, pathsOf } from '../follow/value.ts'
import { endOf, type Sheet, startOf } from './sheet.ts'
import { isInner } from './tracing.ts'

const OLD = 'setActiveTraceIO'
const NEW = 'updateActiveObservation'

/** The import of `setActiveTraceIO` and the calls by its name, where all of them can be renamed. */
export function renameTraceIO(declaration: NodePath, sheet: Sheet) {
  const { source } = declaration.node as unknown as { source: { value: string } }
  if (source.value !== '@svc/tracing') return
  const specifiers = pathsOf(declaration, 'specifiers')
  const specifier = specifiers.find((each) => importedName(each) === OLD)
  if (!specifier) return
  const local = pathOf(specifier, 'local').node as unknown as { name: string }
  const binding = specifier.scope.getBinding(local.name)
  const references = binding?.referencePaths ?? []
  const isPlain = references.every(({ key, parentPath }) => key === 'callee' && parentPath?.isCallExpression())
  if (!isPlain || references.some(isInner)) {
    sheet.remark(
      'left',
      specifier,
      'input-and-output-of-a-trace',
      `${OLD} is gone. Use update on the root, or ${NEW} where the root is the active one.`,
    )
    return
  }
  const beside = specifiers.find((each) => importedName(each) === NEW)
  const name = beside
    ? (pathOf(beside, 'local').node as unknown as { name: string }).name
    : local.name === OLD
      ? NEW
      : local.name
  for (const { node } of references) sheet.replace(startOf(node), endOf(node), name)
  if (!beside) return sheet.replace(startOf(pathOf(specifier, 'imported')), endOf(pathOf(specifier, 'imported')), NEW)
  const places = specifiers.map((each) => ({ start: startOf(each), end: endOf(each) }))
  sheet.edits.push(...removals(places, ({ start }) => start === startOf(specifier)))
}

function importedName(path: NodePath): string | undefined {
  const { imported } = path.node as { imported?: { name?: string; value?: string } } & NodePath['node']
  return imported?.name ?? imported?.value
}
