import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { files, lineAt, read, root } from './repository.ts'

// Every block marked `ts` or `js` in a page is a program of its own and must compile against the packages.
const folder = mkdtempSync(join(tmpdir(), 'svc-code-blocks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('code blocks in the documentation compile', () => {
  const blocks = files('.', '.md').flatMap(codeBlocks)
  expect(blocks.length).toBeGreaterThan(0)
  symlinkSync(join(root, 'test/node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  for (const { name, code } of blocks) writeFileSync(join(folder, name), code)
  const [typed, plain] = [true, false].map((wanted) => blocks.filter(({ name }) => name.endsWith('.ts') === wanted))
  expect([...complaintsAbout(typed), ...complaintsAbout(plain)]).toEqual([])
}, 180_000)

// What the page is about, or the application has already. The page about version 5 is for applications that have it all.
const THERE = /^(?:openai|ai|next|react|vitest|bullmq|@nestjs\/.+|@langchain\/core)$/

it('a page installs what its code imports', () => {
  const pages = ['README.md', ...files('docs', '.md'), ...files('packages', 'README.md')].filter(
    (path) => !/decisions|migrating-from-v5/.test(path),
  )
  expect(pages.flatMap(notInstalledBy)).toEqual([])
})

function notInstalledBy(path: string): string[] {
  const page = read(path)
  const installs = [...page.matchAll(/npm (?:i|install) ([^\n`]+)/g)].flatMap(([, names = '']) => names.split(' '))
  const blocks = [...page.matchAll(/^```(?:tsx?|[mc]?js)\n(.*?)^```$/gms)].map(([, code = '']) => code)
  const imported = blocks.flatMap((code) => [...code.matchAll(/(?:from |import |import\(|require\()'([^'.][^']*)'/g)])
  const names = imported.map(([, name = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '')
  const missing = names.filter((name) => !name.startsWith('node:') && !THERE.test(name) && !installs.includes(name))
  return [...new Set(missing)].map((name) => `${path}: ${name}`)
}

interface CodeBlock {
  /** The page and the line, made into a file name. */
  readonly name: string
  readonly code: string
}

function codeBlocks(path: string): CodeBlock[] {
  const page = read(path)
  return [...page.matchAll(/^```(ts|js|mjs|cjs)\n(.*?)^```$/gms)].map(({ 1: language, 2: code = '', index }) => {
    const ending = language === 'ts' ? 'ts' : /\brequire\(/.test(code) ? 'cjs' : 'mjs'
    return { name: `${path.replaceAll(/[/.]/g, '-')}-line-${lineAt(page, index)}.${ending}`, code }
  })
}

function complaintsAbout(blocks: CodeBlock[] = []): string[] {
  const names = blocks.map(({ name }) => name)
  if (names.length === 0) return []
  const project = join(folder, 'tsconfig.json')
  const compilerOptions = {
    noEmit: true,
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    typeRoots: [join(root, 'node_modules/@types')],
    customConditions: ['@svc/source'],
    experimentalDecorators: true,
    paths: { vitest: [join(root, 'node_modules/vitest/dist/index.d.ts')] },
    allowJs: true,
    checkJs: true,
    // JavaScript has no annotations that could be missing.
    noImplicitAny: names.some((name) => name.endsWith('.ts')),
  }
  writeFileSync(project, JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files: names }))
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project], { cwd: folder })
    return []
  } catch (error) {
    return (error as { stdout: Buffer }).stdout.toString().trim().split('\n')
  }
}
