import type { NodePath } from '@babel/traverse'
import { annotationValue, typeValue } from '../follow/types.ts'
import { nameOf, pathOf, pathsOf } from '../follow/value.ts'
import { memberRow } from '../tables/members.ts'
import type { Sheet } from './sheet.ts'

/** Checks test doubles of a client: `{ getPrompt: vi.fn() } as SvcClient`. */
export function checkStandIn(path: NodePath, sheet: Sheet) {
  const isVariable = path.isVariableDeclarator()
  const value = isVariable ? annotationValue(pathOf(path, 'id')) : typeValue(pathOf(path, 'typeAnnotation'))
  if (value?.kind !== 'client') return
  let held = pathOf(path, isVariable ? 'init' : 'expression')
  while (held.isTSAsExpression() || held.isTSSatisfiesExpression()) held = pathOf(held, 'expression')
  if (!held.isObjectExpression()) return
  for (const property of pathsOf(held, 'properties')) check(property, value.path, sheet)
}

/** Checks mocks of the module: in `vi.mock('@svc/client', () => …)`, all members named like those of a client. */
export function checkMock(call: NodePath, sheet: Sheet) {
  const callee = pathOf(call, 'callee')
  const [module] = pathsOf(call, 'arguments')
  if (!callee.isMemberExpression() || !/[mM]ock/.test(nameOf(callee) ?? '')) return
  if (!module?.isStringLiteral({ value: '@svc/client' })) return
  call.traverse({
    'ObjectProperty|ObjectMethod|ClassProperty|ClassMethod'(path: NodePath) {
      check(path, [], sheet)
    },
  })
}

function check(property: NodePath, above: readonly string[], sheet: Sheet) {
  const name = nameOf(property)
  const row = name === undefined ? undefined : memberRow([...above, name])
  if (!row || name === undefined) return
  const message = `This is a test double of a client, which no longer has ${name}. ${row.to ? `It is ${row.to}.` : (row.instead ?? '')}`
  sheet.remark('warning', property, row.heading, message)
}
