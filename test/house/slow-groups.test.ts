import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { digestOf, digests, GROUPS, inputsOf, sortGroups } from '../../scripts/slow-groups.mjs'
import { read, root } from './repository.ts'

/** What the lock file stands for, and the folder of the packages, of which a group names those that it uses. */
const COVERED = /(?:^|\/)(?:\.toolchain|node_modules)(?:\/|$)|^packages$/
const names = Object.keys(GROUPS) as (keyof typeof GROUPS)[]

it('each test file of a slow group exists and is in one group', () => {
  const tests = names.flatMap((name) => GROUPS[name].tests)
  expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(new Set(tests).size).toBe(tests.length)
})

it.each(names)('the inputs of the slow group "%s" include everything its tests import', (name) => {
  const inputs = inputsOf(name)
  const paths = [...new Set(GROUPS[name].tests.flatMap((test) => importedBy(test)))]
  expect(paths.length).toBeGreaterThan(2)
  const others = paths.filter((path) => !COVERED.test(path))
  expect(others.filter((path) => !inputs.some((input) => path === input || path.startsWith(`${input}/`)))).toEqual([])
})

it('test/slow-groups.json has only existing groups', () => {
  const path = 'test/slow-groups.json'
  const known = existsSync(join(root, path)) ? Object.keys(JSON.parse(read(path))) : []
  expect(known.filter((name) => !(name in GROUPS))).toEqual([])
})

it('a slow group is skipped only while its digest is the one that passed', () => {
  const passed = digests()
  expect(sortGroups(passed)).toEqual({ changed: [], unchanged: names })
  const [first = '', ...others] = names
  expect(sortGroups({ ...passed, [first]: 'another' }, passed)).toEqual({ changed: [first], unchanged: others })
  expect(sortGroups({}, passed)).toEqual({ changed: names, unchanged: [] })
})

it('a digest changes if a file is changed, added or removed, committed or not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-digest-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const digest = () => digestOf(['.'], folder)
  expect(digest()).toBeUndefined()
  spawnSync('git', ['init', '--quiet'], { cwd: folder })
  const seen = [digest()]
  for (const text of ['one', 'two']) {
    writeFileSync(join(folder, 'file.ts'), text)
    seen.push(digest())
  }
  spawnSync('git', ['add', '.'], { cwd: folder })
  expect(digest()).toBe(seen[2])
  expect(new Set(seen).size).toBe(3)
  rmSync(join(folder, 'file.ts'))
  expect(digest()).toBe(seen[0])
})

/** Files, and packages of ours, that a test imports or points at, itself and by what it imports. */
function importedBy(path: string, found = new Set<string>()): readonly string[] {
  if (found.has(path)) return []
  found.add(path)
  const text = /\.[cm]?[jt]s$/.test(path) && existsSync(join(root, path)) ? read(path) : ''
  for (const [, specifier = ''] of text.matchAll(/(?:from |import\(|new URL\()'([^']+)'/g)) {
    const [, ours] = /^@svc\/([\w-]+)/.exec(specifier) ?? []
    if (ours) found.add(`packages/${ours}`)
    else if (specifier.startsWith('@svc-examples/')) found.add(specifier.replace('@svc-examples', 'examples'))
    else if (specifier.startsWith('../') || specifier.startsWith('./')) {
      const imported = join(dirname(path), specifier).split('\\').join('/')
      // What packages import lies in packages that they need.
      if (imported.startsWith('packages/')) found.add(imported)
      else importedBy(imported, found)
    }
  }
  return [...found]
}
