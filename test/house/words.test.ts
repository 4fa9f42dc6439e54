import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { describe, expect, it } from 'vitest'
import { files, lineAt, packages, read, root, type Source, sources } from './repository.ts'

/**
 * Identifiers that are not used any more, because OpenTelemetry, the GenAI conventions or Node have another word, or
 * because each place meant something else by it. A package named here still has the word: the list only gets shorter.
 */
const RETIRED: Readonly<Record<string, readonly string[]>> = {
  said: [],
  asked: [],
  told: [],
  heard: [],
  begun: [],
  manner: [],
  spelling: ['local'],
  aside: [],
  room: [],
  quietly: ['local'],
  fate: [],
  meanwhile: [],
  sightings: [],
  yields: [],
  party: [],
  shadow: [],
  ear: [],
  foresight: [],
  wishes: [],
  hear: [],
  endsItself: [],
  whoever: [],
  nobody: [],
  somebody: [],
  says: [],
}

/** Words that leave open what happened or to whom it did. Comments, messages and docs say that instead. */
const VAGUE = /\b(nobody|whoever|somebody|meanwhile)\b/i

/** Words of which each place meant something else. */
const AMBIGUOUS = /\b(said|told|asked|heard|whoever|nobody|somebody|meanwhile)\b/i

/** Type names that two files of one package export, with the reason. */
const ALLOWED_TWICE: Readonly<Record<string, string>> = {
  'client/ChatMessageType': 'the contract has it in @svc/client and in @svc/client/api, with other members',
  'client/Evaluator': 'the contract has it in @svc/client (a function) and in @svc/client/api (a stored record)',
  'client/ExperimentItem': 'the contract has it in @svc/client (an input) and in @svc/client/api (a stored record)',
}

/** Packages in which some names still have two meanings. */
const TO_BE_RENAMED: ReadonlySet<string> = new Set(['local'])

describe('words in the code', () => {
  it('retired identifiers are not used, except in the packages that still have them', () => {
    const used = sources.flatMap((file) =>
      identifiersIn(file)
        .filter(({ name }) => Object.hasOwn(RETIRED, name) && !RETIRED[name]?.includes(file.home))
        .map(({ name, line }) => `${file.path}:${line} ${name}`),
    )
    expect(used).toEqual([])
  })

  it('a package that may still use a retired identifier does', () => {
    const used = new Set(sources.flatMap((file) => identifiersIn(file).map(({ name }) => `${file.home} ${name}`)))
    const allowed = Object.entries(RETIRED).flatMap(([name, homes]) => homes.map((home) => `${home} ${name}`))
    expect(allowed.filter((each) => !used.has(each))).toEqual([])
  })

  it('retired identifiers are not used in tests, scripts and benchmarks', () => {
    const used = testFiles()
      .flatMap((path) => {
        const text = read(path)
        return identifiersIn({ text, syntax: parseSync(path, text) }).map((found) => ({ path, ...found }))
      })
      .filter(({ name }) => Object.hasOwn(RETIRED, name))
      .map(({ path, name, line }) => `${path}:${line} ${name}`)
    expect(used).toEqual([])
  })

  it('titles of tests make sense alone in a log: they have no words with several meanings', () => {
    const odd = testFiles()
      .flatMap((path) => titlesIn(path))
      .filter(({ title }) => AMBIGUOUS.test(title))
      .map(({ path, title, line }) => `${path}:${line} ${title}`)
    expect(odd).toEqual([])
  })

  it('heads of tables on pages are words with one meaning', () => {
    const odd = pages().flatMap((path) =>
      [...read(path).matchAll(/^(\|.*\|)\n\| --- \|/gm)].flatMap(([, head = '']) =>
        AMBIGUOUS.test(head) ? [`${path}: ${head}`] : [],
      ),
    )
    expect(odd).toEqual([])
  })

  it('comments and messages of the sources, docs and changesets have no vague words', () => {
    const texts = [...sources, ...pages().map((path) => ({ path, text: read(path) }))]
    const vague = texts.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (VAGUE.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    )
    expect(vague).toEqual([])
  })

  it.each(packages.filter((name) => !TO_BE_RENAMED.has(name)))(
    'in %s an exported type name has one meaning',
    (name) => {
      const places = new Map<string, string[]>()
      for (const file of sources.filter(({ home }) => home === name)) {
        for (const type of exportedTypesIn(file)) places.set(type, [...(places.get(type) ?? []), file.path])
      }
      const twice = [...places].filter(([type, paths]) => paths.length > 1 && !(`${name}/${type}` in ALLOWED_TWICE))
      expect(twice).toEqual([])
    },
  )
})

/** What users read: docs, READMEs and changesets. */
function pages(): string[] {
  const folders = ['docs', 'packages', 'examples', 'test', '.changeset'].flatMap((folder) => files(folder, '.md'))
  return ['README.md', 'CONTRIBUTING.md', ...folders]
}

/** Tests and what they share, scripts and benchmarks. Apps before their migration are in the words of version 5. */
function testFiles(): string[] {
  const units = packages.flatMap((name) => files(`packages/${name}/src`, '.test.ts'))
  const shared = packages.filter((name) => existsSync(join(root, `packages/${name}/test`)))
  const others = ['test', 'scripts', 'bench', ...shared.map((name) => `packages/${name}/test`)]
  return [...units, ...others.flatMap((folder) => files(folder, '.ts', '.mts', '.mjs', '.cjs'))].filter(
    (path) => path !== 'test/house/words.test.ts' && !path.startsWith('test/migrate/'),
  )
}

/** The titles of `it` and `describe`, with `each` as well. */
function titlesIn(path: string): { path: string; title: string; line: number }[] {
  const text = read(path)
  const found: { path: string; title: string; line: number }[] = []
  new Visitor({
    CallExpression: ({ start, arguments: [first] }) => {
      const title = first?.type === 'Literal' ? first.value : undefined
      if (typeof title !== 'string' || !/^(it|describe)\b/.test(text.slice(start, start + 9))) return
      found.push({ path, title, line: lineAt(text, first?.start ?? start) })
    },
  }).visit(parseSync(path, text).program)
  return found
}

function identifiersIn({ syntax, text }: Pick<Source, 'syntax' | 'text'>): { name: string; line: number }[] {
  const found: { name: string; line: number }[] = []
  const add = ({ name, start }: { name: string; start: number }) => found.push({ name, line: lineAt(text, start) })
  new Visitor({ Identifier: add, PrivateIdentifier: add }).visit(syntax.program)
  return found
}

/** Names of exported interfaces, type aliases and classes that a file declares. */
function exportedTypesIn({ syntax }: Source): string[] {
  return syntax.program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || !node.declaration) return []
    const { type, id } = node.declaration as { type: string; id?: { name?: string } }
    const isType = ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration'].includes(type)
    return isType && id?.name !== undefined ? [id.name] : []
  })
}
