import { matchesGlob } from 'node:path'
import { expect, it } from 'vitest'
import { ISOLATED, STARTING } from '../support/isolated.ts'
import { RINGS } from '../support/rings.ts'
import { files, read } from './repository.ts'

const tests = [...files('packages', '.test.ts'), ...files('test', '.test.ts')]
// Files of these rings have one anyway.
const isIsolated = (path: string) =>
  /\.(long|all|apps)\.test\.ts$/.test(path) || ISOLATED.some((pattern) => matchesGlob(path, pattern))

const isStarting = (path: string) => STARTING.some((pattern) => matchesGlob(path, pattern))

it.each([
  ['replaces or reloads modules has a process of its own', /\bvi\.(mock|doMock|resetModules)\(/, isIsolated],
  [
    'starts our pipeline, or registers with the API of OpenTelemetry, has a process of its own, or shares it with such',
    /\b(setGlobal[A-Z]\w+|setSvcTracerProvider|claimRuntime)\(|^import \{ start \} from '@svc\/register\/start'/m,
    (path: string) => isIsolated(path) || isStarting(path),
  ],
])('each test that %s', (_, pattern, isPlaced) => {
  const changing = tests.filter((path) => pattern.test(read(path)))
  expect(changing).not.toEqual([])
  expect(changing.filter((path) => !isPlaced(path))).toEqual([])
})

it('each file of tests is in one ring, and in that of its name if it has one', () => {
  const named = files(
    '.',
    ...['', 'c', 'm'].flatMap((kind) => ['ts', 'tsx', 'js', 'jsx'].map((type) => `.test.${kind}${type}`)),
  )
  expect(named.length).toBeGreaterThan(500)
  const ringsOf = (path: string) => RINGS.filter(({ include }) => isIncluded(path, include)).map(({ name }) => name)
  const misplaced = named.flatMap((path) => {
    const rings = ringsOf(path)
    const [, named] = /\.(long|all|apps)\.test\./.exec(path) ?? []
    const isPlaced = rings.length === 1 && (named ? rings[0] === named : !/^(long|all|apps)$/.test(rings[0] ?? ''))
    return isPlaced ? [] : [`${path}: ${rings.join(', ')}`]
  })
  expect(misplaced).toEqual([])
})

it('each pattern of isolated tests matches a test', () => {
  expect([...ISOLATED, ...STARTING].filter((pattern) => !tests.some((path) => matchesGlob(path, pattern)))).toEqual([])
})

/** As vitest reads the patterns of a project: `!` takes out what others have. */
function isIncluded(path: string, include: readonly string[]): boolean {
  const matches = (pattern: string) => matchesGlob(path, pattern)
  const [without, within] = [true, false].map((isOut) => include.filter((each) => each.startsWith('!') === isOut))
  return (within ?? []).some(matches) && !(without ?? []).some((each) => matches(each.slice(1)))
}
