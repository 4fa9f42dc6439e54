import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { folderOf } from './app.ts'

// The blocks marked `tsx` are files of a Next application: they compile as Next compiles them.
const folder = mkdtempSync(join(tmpdir(), 'svc-next-pages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('code blocks in the documentation of Next compile', () => {
  const blocks = ['docs/next.md', 'packages/next/README.md'].flatMap(blocksOf)
  expect(blocks.length).toBeGreaterThan(8)
  symlinkSync(folderOf('app', 'node_modules'), join(folder, 'node_modules'), 'junction')
  mkdirSync(join(folder, 'pages'))
  for (const { name, code } of blocks) writeFileSync(join(folder, 'pages', name), code)
  const compilerOptions = {
    target: 'ES2022',
    lib: ['DOM', 'DOM.Iterable', 'ES2023'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    jsx: 'react-jsx',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['pages'] }))
  expect(complaints()).toBe('')
})

function blocksOf(page: string): { readonly name: string; readonly code: string }[] {
  const text = readFileSync(fileURLToPath(new URL(`../../${page}`, import.meta.url)), 'utf8')
  return [...text.matchAll(/^```tsx\n(.*?)^```$/gms)].map(({ 1: code = '' }, index) => ({
    name: `${page.replaceAll(/\W/g, '-')}-${index}.tsx`,
    code,
  }))
}

function complaints(): string {
  const tsc = createRequire(import.meta.url).resolve('typescript/package.json')
  try {
    execFileSync(process.execPath, [join(tsc, '../bin/tsc'), '-p', folder], { cwd: folder, encoding: 'utf8' })
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
