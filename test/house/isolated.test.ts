import { matchesGlob } from 'node:path'
import { expect, it } from 'vitest'
import { ISOLATED } from '../support/isolated.ts'
import { files, read } from './repository.ts'

const tests = [...files('packages', '.test.ts'), ...files('test', '.test.ts')]
// Files of the last ring have one anyway.
const isIsolated = (path: string) =>
  path.endsWith('.all.test.ts') || ISOLATED.some((pattern) => matchesGlob(path, pattern))

it.each([
  ['replaces or reloads modules', /\bvi\.(mock|doMock|resetModules)\(/],
  ['registers with the API of OpenTelemetry or as the runtime', /\b(setGlobal[A-Z]\w+|claimRuntime)\(/],
])('each test that %s has a process of its own', (_, pattern) => {
  const changing = tests.filter((path) => pattern.test(read(path)))
  expect(changing).not.toEqual([])
  expect(changing.filter((path) => !isIsolated(path))).toEqual([])
})

it('each pattern of isolated tests matches a test', () => {
  expect(ISOLATED.filter((pattern) => !tests.some((path) => matchesGlob(path, pattern)))).toEqual([])
})
