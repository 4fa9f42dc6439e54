import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { SourceFile } from '../../../files/source-file.ts'
import { readSource } from '../../../files/text.ts'
import { type Files, locate } from '../follow/files.ts'
import { type ProgramPath, programOf } from '../syntax.ts'
import { valueOfJson } from './json.ts'

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']
const INDEX = ENDINGS.slice(1).map((ending) => `/index${ending}`)
/** Source files for the names of compiled files. */
const SOURCE_OF: readonly (readonly [RegExp, string])[] = [
  [/\.js$/, '.ts'],
  [/\.js$/, '.tsx'],
  [/\.jsx$/, '.tsx'],
  [/\.mjs$/, '.mts'],
  [/\.cjs$/, '.cts'],
]

/** Returns the files of an app, which resolve relative names, `paths` of tsconfig.json, and workspaces. */
export function linkedFiles(folder: string, manifests: readonly SourceFile[]): Files {
  const programs = new Map<string, ProgramPath | undefined>()
  const workspaces = workspacesOf(folder, manifests)
  const paths = new Map<string, Paths | undefined>()
  const files: Files = {
    open(path) {
      if (!programs.has(path)) {
        const { text } = readSource(path)
        const program = text === undefined ? undefined : programOf(path, text)
        programs.set(path, program && 'message' in program ? undefined : program && locate(program, path, files))
      }
      return programs.get(path)
    },
    resolve(from, specifier) {
      if (/^\.{0,2}\//.test(specifier) || /^\.{1,2}$/.test(specifier)) return located(resolve(dirname(from), specifier))
      const aliased = byAlias(pathsAround(from, folder, paths), specifier)
      if (aliased !== undefined) return aliased
      const home = workspaces.get(specifier)
      if (home) return located(join(home, 'src/index')) ?? located(home)
      if ([...workspaces.keys()].some((name) => specifier.startsWith(`${name}/`)) || specifier.startsWith('#'))
        return undefined
      return 'foreign'
    },
  }
  return files
}

function located(path: string): { path: string } | undefined {
  const candidates = [
    ...ENDINGS.map((ending) => `${path}${ending}`),
    ...SOURCE_OF.filter(([compiled]) => compiled.test(path)).map(([compiled, source]) =>
      path.replace(compiled, source),
    ),
    ...INDEX.map((index) => `${path}${index}`),
  ]
  const found = candidates.find((each) => isFile(each) && !/\.json$/.test(each))
  return found === undefined ? undefined : { path: found }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

function workspacesOf(folder: string, manifests: readonly SourceFile[]): Map<string, string> {
  const named = manifests.flatMap(({ path, text }): [string, string][] => {
    const { name } = (valueOfJson(text) ?? {}) as { name?: unknown }
    return typeof name === 'string' ? [[name, join(folder, dirname(path))]] : []
  })
  return new Map(named)
}

interface Paths {
  readonly base: string
  readonly isBaseUrl: boolean
  readonly patterns: Readonly<Record<string, readonly string[]>>
}

/** Returns the `paths` of the nearest tsconfig.json that has any. */
function pathsAround(from: string, folder: string, seen: Map<string, Paths | undefined>): Paths | undefined {
  for (let at = dirname(from); at.startsWith(folder); at = dirname(at)) {
    if (!seen.has(at)) seen.set(at, pathsIn(join(at, 'tsconfig.json')) ?? pathsIn(join(at, 'jsconfig.json')))
    const found = seen.get(at)
    if (found || at === folder) return found
  }
  return undefined
}

function pathsIn(config: string, depth = 0): Paths | undefined {
  if (depth > 4 || !isFile(config)) return undefined
  const parsed = (valueOfJson(readSource(config).text ?? '') ?? {}) as {
    extends?: unknown
    compilerOptions?: { baseUrl?: string; paths?: Record<string, string[]> }
  }
  const { baseUrl, paths } = parsed.compilerOptions ?? {}
  if (paths || baseUrl) {
    return { base: resolve(dirname(config), baseUrl ?? '.'), isBaseUrl: baseUrl !== undefined, patterns: paths ?? {} }
  }
  const above = [parsed.extends].flat().find((each) => typeof each === 'string' && each.startsWith('.'))
  if (typeof above !== 'string') return undefined
  return pathsIn(resolve(dirname(config), above.endsWith('.json') ? above : `${above}.json`), depth + 1)
}

function byAlias(paths: Paths | undefined, specifier: string): { path: string } | undefined {
  if (!paths) return undefined
  for (const [pattern, targets] of Object.entries(paths.patterns)) {
    const [head = '', tail] = pattern.split('*')
    const isMatch = tail === undefined ? specifier === pattern : specifier.startsWith(head) && specifier.endsWith(tail)
    if (!isMatch) continue
    const middle = tail === undefined ? '' : specifier.slice(head.length, specifier.length - tail.length)
    const found = targets.map((each) => located(resolve(paths.base, each.replace('*', middle)))).find((each) => each)
    if (found) return found
  }
  return paths.isBaseUrl ? located(join(paths.base, specifier)) : undefined
}
