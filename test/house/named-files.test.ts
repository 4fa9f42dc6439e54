import { expect, it } from 'vitest'
import { BUDGET } from '../packed/budget.ts'
import { files, lineAt, packages, read } from './repository.ts'

const everything = files('.', '')
const FOLDERS = new Set(everything.flatMap((path) => path.match(/^[^/]+(?=\/)/)?.[0] ?? []))

/** What can only be one of ours: TypeScript, chunks of the preload, and paths from the root of the repository. */
const isOurs = (name: string) => /\.([cm]?tsx?|cjs)$/.test(name) || FOLDERS.has(name.split('/')[0] ?? '')

/** A file of applications. */
const THEIRS = 'instrumentation-client.ts'

/** The end of a path is enough, as long as it says which file is meant. Published files are in the budget. */
const known = new Set([
  ...everything.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(at).join('/'))),
  ...Object.keys({ ...BUDGET.start, ...BUDGET.library, ...BUDGET.request }),
])

const NAME = /(?<![\w@./…*-])(?:\.{1,2}\/)*[\w@-][\w@.…/-]*\.(?:[cm]?[jt]sx?|md|json)\b/

it('files that comments name are there', () => {
  const code = ['test', 'scripts', 'bench', ...packages.map((name) => `packages/${name}/src`)]
  const named = code
    .flatMap((folder) => files(folder, '.ts', '.mts', '.tsx', '.mjs', '.cjs'))
    .flatMap((path) => namesIn(path, /(?<=^\s*|\s)(?:\/\/|\/\*\*?|\*)\s.*$/gm))
  expect(named.length).toBeGreaterThan(100)
  expect(missing(named)).toEqual([])
})

it('files that pages about this repository name are there', () => {
  const pages = [
    'CONTRIBUTING.md',
    'docs/architecture.md',
    'docs/coexistence.md',
    'docs/security.md',
    'test/README.md',
    ...files('docs/decisions', '.md'),
  ]
  const named = pages.flatMap((path) => namesIn(path, /`[^`\n]+`/g))
  expect(named.length).toBeGreaterThan(100)
  expect(missing(named)).toEqual([])
})

/** Names of our files in those parts of a text, each with its place. */
function namesIn(path: string, part: RegExp): { name: string; place: string }[] {
  const text = read(path)
  return [...text.matchAll(part)].flatMap(({ 0: found, index }) =>
    [...found.matchAll(new RegExp(NAME, 'g'))].flatMap(([whole]) => {
      const name = whole.replace(/^(\.{1,2}\/)+/, '')
      return isOurs(name) ? [{ name, place: `${path}:${lineAt(text, index)}` }] : []
    }),
  )
}

const missing = (named: readonly { name: string; place: string }[]): string[] =>
  named.filter(({ name }) => !known.has(name) && name !== THEIRS).map(({ name, place }) => `${place} ${name}`)
