import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Visitor } from 'vite'
import { describe, expect, it } from 'vitest'
import { files, lineAt, packages, read, root, type Source, sources } from './repository.ts'

const MAY_BE_LONG: Record<string, string> = {
  'packages/cli/src/commands.ts': 'a table, one row for each command',
  'packages/client/src/api/endpoints.ts': 'a table, one row for each endpoint',
  'packages/instrumentation/src/libraries.ts': 'a table, one row for each library',
  'packages/core/src/settings.ts': 'a table, one row for each variable',
  'packages/core/src/settings-first.ts': 'the same',
}

/** The face of `@svc/client/api`, and the types of the service's API in it. */
const API_FACE = ['packages/client/src/api/types/index.ts', 'packages/client/src/index-api.ts']

describe('the shape of a package', () => {
  it('a source file has at most 250 lines', () => {
    const long = sources
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
      .filter(({ path, lines }) => lines > 250 && !(path in MAY_BE_LONG))
    expect(long).toEqual([])
  })

  it('no module has a top-level await, so that every module can be required', () => {
    const waiting = sources.flatMap((file) => topLevelAwaits(file).map((line) => `${file.path}:${line}`))
    expect(waiting).toEqual([])
  })

  it('no module has `export *`, except for types of the service', () => {
    const starred = sources.filter(({ syntax }) => syntax.program.body.some(isStar))
    expect(starred.map(({ path }) => path)).toEqual(API_FACE)
    expect(starred[1]?.syntax.program.body.filter(isStar).map(sourceOf)).toEqual(['./api/types/index.ts'])
  })

  it('no module exports what may change, as the files of the bundle give each other values', () => {
    const changing = sources.filter(({ text }) => /^export (?:let|var) /m.test(text))
    expect(changing.map(({ path }) => path)).toEqual([])
  })

  it('an index file only re-exports', () => {
    const busy = sources
      .filter(({ path, syntax }) => path.endsWith('/index.ts') && syntax.program.body.some(isReExport))
      .filter(({ syntax }) => !syntax.program.body.every(isReExport))
      .map(({ path }) => path)
    expect(busy).toEqual([])
  })

  it.each(packages)('%s contains the licence', (name) => {
    const path = `packages/${name}/LICENSE`
    expect(existsSync(join(root, path))).toBe(true)
    expect(read(path)).toBe(read('LICENSE'))
  })
})

describe('the repository', () => {
  const everything = files('.', '.ts', '.js', '.mjs', '.cjs', '.json', '.md', '.yaml', '.sh')
  const itself = 'test/house/shape.test.ts'

  it('has no skipped, focused or todo test', () => {
    const skipped = files('.', '.test.ts')
      .filter((path) => path !== itself)
      .flatMap((path) => matches(path, /\b(?:it|test|describe|suite)\.(?:skip|skipIf|only|todo|runIf|fails)\b/g))
    expect(skipped).toEqual([])
  })

  // `/home/me` is an example.
  it('has no file with a path of a machine', () => {
    const places = everything
      .filter((path) => path !== itself)
      .flatMap((path) => matches(path, /(?<![\w.~])\/(?:work|root|tmp|(?:home|Users)\/(?!me\/)\w+)\/[\w.-]+/g))
    expect(places).toEqual([])
  })
})

const isStar = ({ type }: { type: string }) => type === 'ExportAllDeclaration'
const sourceOf = (node: object) => String((node as { source: { value: unknown } }).source.value)

function isReExport(node: { type: string; source?: unknown }): boolean {
  return isStar(node) || (node.type === 'ExportNamedDeclaration' && node.source !== null && node.source !== undefined)
}

function topLevelAwaits({ syntax, text }: Source): number[] {
  const lines: number[] = []
  let depth = 0
  const enter = () => {
    depth += 1
  }
  const leave = () => {
    depth -= 1
  }
  const note = ({ start }: { start: number }) => {
    if (depth === 0) lines.push(lineAt(text, start))
  }
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    AwaitExpression: note,
    ForOfStatement: (node) => {
      if (node.await) note(node)
    },
  }).visit(syntax.program)
  return lines
}

function matches(path: string, pattern: RegExp): string[] {
  const text = read(path)
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => `${path}:${lineAt(text, index)} ${found}`)
}
