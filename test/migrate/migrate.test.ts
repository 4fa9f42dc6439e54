import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Migration, planMigration } from '../../packages/cli/src/migrate/code/migrate-code.ts'
import { AppFolder } from '../../packages/cli/src/migrate/folder.ts'

// The apps are written for version 5, whose shapes are declared in version-5/. They compile against those, are migrated,
// and then compile against the packages, but for the lines that were left to a person.
const root = fileURLToPath(new URL('../..', import.meta.url))
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-migrate-apps-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let before: string[]
let migration: Migration
let after: string[]

beforeAll(async () => {
  cpSync(here('apps'), folder, { recursive: true })
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  symlinkSync(join(root, 'node_modules/vitest'), join(modules, 'vitest'))
  symlinkSync(here('version-5'), join(modules, '@svc'))
  before = complaints()
  migration = await planMigration(folder)
  new AppFolder('svc migrate code', folder).write(migration.changes)
  rmSync(join(modules, '@svc'))
  symlinkSync(join(root, 'test/node_modules/@svc'), join(modules, '@svc'))
  after = complaints()
}, 300_000)

/** What the compiler says of the apps: `path:line text`. */
function complaints(): string[] {
  const compilerOptions = {
    ...{ noEmit: true, composite: false, incremental: false, declaration: false, declarationMap: false },
    ...{ allowJs: true, checkJs: true, strict: true, noImplicitAny: false, exactOptionalPropertyTypes: false },
    ...{ jsx: 'preserve', verbatimModuleSyntax: false, noUncheckedIndexedAccess: false, lib: ['ES2024', 'DOM'] },
    ...{ typeRoots: [join(root, 'node_modules/@types')], preserveSymlinks: true },
  }
  const include = ['*/src/**/*.ts', '*/src/**/*.tsx', '*/src/**/*.cjs']
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include }),
  )
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'], {
      cwd: folder,
    })
    return []
  } catch (error) {
    const output = (error as { stdout: Buffer }).stdout.toString()
    const found = [...output.matchAll(/^(\S+?)\((\d+),\d+\): error (.*)$/gm)].map(
      ([, path, line, text]) => `${path}:${line} ${text}`,
    )
    return found.length > 0 ? found : [output]
  }
}

describe('apps of version 5 in svc migrate code', () => {
  it('compile before the migration', () => {
    expect(before).toEqual([])
  })

  it('compile after the migration, except for listed places', () => {
    const left = migration.places
      .filter(({ severity }) => severity !== 'info')
      .map(({ path, after: position }) => `${path}:${position?.line} `)
    expect(after.filter((each) => !left.some((place) => each.startsWith(place)))).toEqual([])
  })

  it('have only the expected places left', () => {
    const paths = migration.places.filter(({ severity }) => severity !== 'info').map(({ path }) => path)
    expect([...new Set(paths)].sort()).toEqual([
      'left/src/left.ts',
      'left/src/stand-ins.spec.ts',
      'left/src/unknown.js',
    ])
  })

  it('are unchanged by a second migration', async () => {
    const { changes } = await planMigration(folder)
    expect(changes).toEqual([])
  })

  it('keep every unrelated line', () => {
    const {
      path,
      before: old,
      text: now,
    } = migration.changes.find((each) => each.path === 'rows/src/client.ts') ?? { path: '' }
    expect(path).not.toBe('')
    const [first, second] = [old?.split('\n') ?? [], now?.split('\n') ?? []]
    expect(second.length).toBe(first.length)
    const changed = first.filter((line, at) => line !== second[at])
    expect(
      changed.filter((line) => !/client ?\./.test(line) && !/^ {8}[{}]/.test(line) && !line.includes('scoreIds')),
    ).toEqual([])
    expect(now).toContain(
      'const prompt = await client . prompt.get( "movie-critic", {cacheTtlSeconds:60} ) // the cache stays',
    )
    expect(migration.changes.map((each) => each.path)).not.toContain('people/src/not-ours.ts')
  })

  it.each(readdirSync(here('expected')))('become the expected code: %s', (name) => {
    const path = name.replaceAll('__', '/').replace(/\.txt$/, '')
    expect(readFileSync(join(folder, path), 'utf8')).toBe(readFileSync(here(`expected/${name}`), 'utf8'))
  })
})
