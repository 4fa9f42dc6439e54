import { expect, it } from 'vitest'
import { files, read } from '../house/repository.ts'

const paths = files('packages/cli/src/doctor', '.ts')
const texts = (isTest: boolean) => paths.filter((path) => path.endsWith('.test.ts') === isTest).map(read)
const found = texts(false).flatMap((text) => [
  ...text.matchAll(/\bid: (?:'([a-z-]+)'|.*\? '([a-z-]+)' : '([a-z-]+)')/g),
])
const ids = [...new Set(found.flatMap(([, ...names]) => names.filter((name) => name !== undefined)))].sort()

it('docs/doctor.md lists every finding', () => {
  const rows = [...read('docs/doctor.md').matchAll(/^- `([a-z][a-z-]+)`: /gm)].map(([, id]) => id)
  expect(rows.sort()).toEqual(ids)
})

it('every finding of the doctor has a test', () => {
  const tests = [...texts(true), read('test/cli/doctor-run.test.ts')].join('\n')
  const inOrder = ['variable', 'preload', 'library', 'svc-version']
  expect(ids.filter((id) => !inOrder.includes(id) && !new RegExp(`['" ]${id}['"]`).test(tests))).toEqual([])
})
