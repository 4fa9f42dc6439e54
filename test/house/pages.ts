import { files, lineAt, read } from './repository.ts'

/** A block of code or of commands, as a reader copies it. */
export interface Block {
  /** The page and the line, made into a file name without ending. */
  readonly name: string
  readonly language: string
  readonly code: string
  /** Why it is not run: the comment before it, `<!-- not run: … -->`. */
  readonly notRun: string | undefined
}

/** What newcomers read. */
export const PAGES: readonly string[] = [
  'README.md',
  ...files('docs', '.md').filter((path) => !path.includes('decisions')),
  ...files('packages', 'README.md'),
]

export function blocksOf(path: string): Block[] {
  const page = read(path)
  return [...page.matchAll(/(?:^<!-- not run: (.+?) -->\n)?^```(\w+)\n(.*?)^```$/gms)].map((match) => {
    const [, notRun, language = '', code = ''] = match
    return { name: `${path.replaceAll(/[/.]/g, '-')}-line-${lineAt(page, match.index)}`, language, code, notRun }
  })
}

/** Names of packages that a page has its reader install. */
export function installedBy(path: string): string[] {
  const lines = [...read(path).matchAll(/npm (?:i|install) ([^\n`]+)/g)]
  return lines.flatMap(([, names = '']) => names.split(' ')).filter((name) => /^@?[a-z]/.test(name))
}

/** Names of packages that code imports, but for those of Node. */
export function importedBy(code: string): string[] {
  const specifiers = [...code.matchAll(/(?:from |import |import\(|require\()'([^'.][^']*)'/g)]
  const names = specifiers.map(([, name = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '')
  return [...new Set(names)].filter((name) => !name.startsWith('node:'))
}

/** What the application has before its author reads a page: what the page is about. Version 5 had it all. */
export function isThere(name: string, path: string): boolean {
  const THERE = /^(?:openai|ai|next|react|vitest|bullmq|@nestjs\/.+|@langchain\/core)$/
  return THERE.test(name) || path === 'docs/migrating-from-v5.md'
}
