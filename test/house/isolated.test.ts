import { matchesGlob } from 'node:path'
import { expect, it } from 'vitest'
import { ISOLATED } from '../support/isolated.ts'
import { files, read } from './repository.ts'

const tests = [...files('packages', '.test.ts'), ...files('test', '.test.ts')]
const isIsolated = (path: string) => ISOLATED.some((pattern) => matchesGlob(path, pattern))

it('each test that replaces or reloads modules has a process of its own', () => {
  const replacing = tests.filter((path) => /\bvi\.(mock|doMock|resetModules)\(/.test(read(path)))
  expect(replacing).not.toEqual([])
  expect(replacing.filter((path) => !isIsolated(path))).toEqual([])
})

it('each pattern of isolated tests matches a test', () => {
  expect(ISOLATED.filter((pattern) => !tests.some((path) => matchesGlob(path, pattern)))).toEqual([])
})
