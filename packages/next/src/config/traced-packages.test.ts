import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { tracedPackages } from './traced-packages.ts'

const project = mkdtempSync(join(tmpdir(), 'svc-traced-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))

function write(path: string, content: object | string = ''): void {
  const file = join(project, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}

it('traced packages include linked dependencies, and leave out unneeded files', () => {
  // As pnpm lays packages out: a link to each, and links among them.
  const store = 'node_modules/.store'
  write(`${store}/a/node_modules/a/package.json`, {
    dependencies: { b: '1', gone: '1' },
    devDependencies: { dev: '1' },
    peerDependencies: { unwanted: '1' },
  })
  for (const file of ['README.md', 'dist/index.js', 'dist/index.js.map', 'src/index.ts', 'index.cjs']) {
    write(`${store}/a/node_modules/a/${file}`)
  }
  write(`${store}/b/node_modules/b/package.json`, { dependencies: { a: '1' } })
  write(`${store}/b/node_modules/b/index.js`)
  write('node_modules/unwanted/package.json', {})
  write('node_modules/dev/package.json', {})
  symlinkSync(join(project, store, 'a/node_modules/a'), join(project, 'node_modules/a'), 'junction')
  symlinkSync(join(project, store, 'b/node_modules/b'), join(project, store, 'a/node_modules/b'), 'junction')
  symlinkSync(join(project, store, 'a/node_modules/a'), join(project, store, 'b/node_modules/a'), 'junction')

  const below = (folder: string, entries: string[]) => entries.map((entry) => `${folder}/${entry}`)
  const files = ['dist/**/*.{js,cjs,mjs,json,node}', 'index.cjs', 'package.json']
  expect(tracedPackages(project, ['a', 'missing'], new Set(['unwanted'])).toSorted()).toEqual([
    ...below(`${store}/a/node_modules/b`, ['index.js', 'package.json']),
    ...below(`${store}/b/node_modules/a`, files),
    ...below('node_modules/a', files),
  ])
})
