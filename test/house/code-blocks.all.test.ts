import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { blocksOf } from './pages.ts'
import { files, root } from './repository.ts'

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

function codeBlocks(path: string): { readonly name: string; readonly code: string }[] {
  return blocksOf(path).flatMap(({ name, language, code }) => {
    if (!/^(?:ts|[mc]?js)$/.test(language)) return []
    const ending = language === 'ts' ? 'ts' : /\brequire\(/.test(code) ? 'cjs' : 'mjs'
    return [{ name: `${name}.${ending}`, code }]
  })
}

function complaintsAbout(blocks: ReturnType<typeof codeBlocks> = []): string[] {
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
