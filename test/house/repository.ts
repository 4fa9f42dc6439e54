import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'vite'

/** The files of this repository and the syntax of its sources: what the house tests look at. */

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const FOREIGN = new Set(['node_modules', 'dist', 'cjs', '.git', '.toolchain', '.next', 'coverage'])

/** Made by other tests, perhaps at this moment. */
const MADE = /^(packages\/register\/published|test\/next\/next-[^/]+\/(?!package\.json$))/

/** Paths below `folder` (relative to the root, with forward slashes) that end with one of `endings`. */
export function files(folder: string, ...endings: string[]): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (FOREIGN.has(entry.name)) return []
    const path = relative(root, join(root, folder, entry.name))
      .split(sep)
      .join('/')
    if (MADE.test(path)) return []
    if (entry.isDirectory()) return files(path, ...endings)
    return endings.some((ending) => path.endsWith(ending)) ? [path] : []
  })
}

export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

export const readJson = (path: string): Record<string, unknown> => JSON.parse(read(path))

/** A page with another text between `<!-- mark -->` and `<!-- end of mark -->`. */
export function withText(page: string, mark: string, text: string): string {
  const [before, after] = [`<!-- ${mark} -->\n`, `\n<!-- end of ${mark} -->`]
  const [begin, end] = [page.indexOf(before), page.indexOf(after)]
  if (begin < 0 || end < begin) throw new Error(`the page has no place for "${mark}"`)
  return page.slice(0, begin + before.length) + text + page.slice(end)
}

/** Rows of cells as a table of Markdown, the head first. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Names of the folders under `packages/`. */
export const packages: readonly string[] = readdirSync(join(root, 'packages'))

/** A source file of a package, tests left out. */
export interface Source {
  readonly path: string
  /** The folder under `packages/` it belongs to. */
  readonly home: string
  readonly text: string
  readonly syntax: ReturnType<typeof parseSync>
  /** Every module it imports or re-exports from, lazily or not. */
  readonly imports: readonly string[]
}

export const sources: readonly Source[] = packages
  .flatMap((name) => files(`packages/${name}/src`, '.ts'))
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => source(path))

function source(path: string): Source {
  const text = read(path)
  const syntax = parseSync(path, text)
  const imports: string[] = []
  const importFrom = (node: { source?: { value?: unknown } | null }) => {
    if (typeof node.source?.value === 'string') imports.push(node.source.value)
  }
  new Visitor({
    ImportDeclaration: importFrom,
    ExportNamedDeclaration: importFrom,
    ExportAllDeclaration: importFrom,
    ImportExpression: (node) => importFrom({ source: node.source as { value?: unknown } }),
    TSImportType: (node) => importFrom({ source: node.source as { value?: unknown } }),
  }).visit(syntax.program)
  return { path, home: path.split('/')[1] ?? '', text, syntax, imports }
}

/** Every text in the code, template parts included, with the line it stands on. Comments are not code. */
export function texts({ syntax, text }: Source): { value: string; line: number }[] {
  const found: { value: string; line: number }[] = []
  const add = (value: unknown, start: number) => {
    if (typeof value === 'string') found.push({ value, line: lineAt(text, start) })
  }
  new Visitor({
    Literal: (node) => add(node.value, node.start),
    TemplateElement: (node) => add(node.value.cooked, node.start),
  }).visit(syntax.program)
  return found
}

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
