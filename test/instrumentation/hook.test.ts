import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { type Ended, folderWith, runNode } from './run-app.ts'

const built = fileURLToPath(new URL('../../packages/instrumentation/dist/hook.js', import.meta.url))

const manifest = (version: string, more = {}) => JSON.stringify({ version, main: 'index.js', ...more })
const commonjs = `#!/usr/bin/env node\n'use strict'\nmodule.exports = { name: 'cjs, ' + typeof require.cache }`

// Packages of every make. The preload writes down what it is shown; the applications print it.
const folder = folderWith({
  'node_modules/cjs/package.json': manifest('1.2.3'),
  'node_modules/cjs/index.js': `${commonjs}\n//# sourceMappingURL=index.js.map`,
  'node_modules/cjs/other.js': 'exports.other = true',
  'node_modules/esm/package.json': manifest('2.0.0', { type: 'module', exports: './index.js' }),
  'node_modules/esm/index.js':
    'export const name = "esm"; export default class Named {}\n//# sourceMappingURL=index.js.map',
  'node_modules/dual/package.json': manifest('3.0.0', {
    exports: { '.': { require: './index.js', default: './index.mjs' } },
  }),
  'node_modules/dual/index.js': 'exports.name = "dual, required"',
  'node_modules/dual/index.mjs': 'export const name = "dual, imported"',
  'node_modules/@scope/name/package.json': manifest('4.0.0'),
  'node_modules/@scope/name/index.js': 'exports.name = "scoped"',
  'node_modules/undecided/package.json': manifest('5.0.0'),
  'node_modules/undecided/index.js': 'export const name = "undecided"',
  'node_modules/outer/package.json': manifest('1.0.0'),
  'node_modules/outer/index.js': 'exports.inner = require("cjs")',
  'node_modules/outer/node_modules/cjs/package.json': manifest('0.9.0'),
  'node_modules/outer/node_modules/cjs/index.js': 'exports.name = "cjs, nested"',
  'node_modules/.pnpm/stored@6.0.0/node_modules/stored/package.json': manifest('6.0.0'),
  'node_modules/.pnpm/stored@6.0.0/node_modules/stored/index.js': 'exports.name = "stored"',
  'node_modules/faulty/package.json': manifest('7.0.1'),
  'node_modules/faulty/index.js': 'exports.name = "faulty"',
  'node_modules/newer/package.json': manifest('9.0.0'),
  'node_modules/newer/index.js': 'exports.name = "newer"',
  'preload.mjs': `
    import { hookModules } from ${JSON.stringify(built)}
    globalThis.seen = []
    const names = ['cjs', 'esm', 'dual', '@scope/name', 'undecided', 'stored', 'newer']
    const apply = (exports, info) => seen.push([info.package, info.version, exports.name])
    const versions = { from: '0.1.0', below: '9.0.0' }
    const targets = names.map((name) => ({ package: name, files: ['index.js', 'index.mjs'], versions, apply }))
    const faulty = { package: 'faulty', files: ['index.js'], apply() { throw new Error('no such class') } }
    globalThis.hooked = [hookModules(targets), hookModules(targets), hookModules([faulty])]`,
  'preload.cjs': 'require("./preload.mjs")',
  // The targets are added with the first package, and cannot be at the first attempt.
  'later.cjs': `
    const { awaitPackages } = require(${JSON.stringify(built)})
    const attempts = [() => undefined, () => require('./preload.mjs')]
    const coverage = awaitPackages(['unused', 'outer', 'cjs', 'esm', 'dual', '@scope/name', 'undecided'], () => {
      globalThis.seen ??= []
      return attempts.shift()?.()
    })
    globalThis.waits = () => JSON.stringify([coverage, attempts.length])`,
  'later-early.cjs': 'require("cjs"); require("./later.cjs"); console.log(waits())',
  'nothing.cjs': 'console.log(waits())',
  'loader.mjs': `
    import module from 'node:module'
    module.register('data:text/javascript,export const load = async (url, context, next) => next(url, context)')`,
  'require.cjs': `
    for (const name of ['cjs', 'dual', '@scope/name', 'outer', 'esm']) require(name)
    require('./node_modules/.pnpm/stored@6.0.0/node_modules/stored')
    require('cjs/other.js')
    require('cjs')
    console.log(JSON.stringify(seen))`,
  'import.mjs': `
    import 'cjs'
    import 'esm'
    import { name } from 'dual'
    import '@scope/name'
    import 'undecided'
    import './node_modules/.pnpm/stored@6.0.0/node_modules/stored/index.js'
    console.log(JSON.stringify(seen))`,
  'both.cjs': `
    require('dual')
    require('./both.mjs')
    import('dual').then(() => console.log(JSON.stringify(seen)))`,
  'both.mjs': 'import "esm"',
  'ordinary.cjs': `
    const facts = () => [require.main === module, __filename in require.cache, typeof require.extensions]
    console.log(JSON.stringify([facts(), require('./same.cjs')]))`,
  'ordinary.mjs': `
    import { createRequire } from 'node:module'
    import same from './same.cjs'
    console.log(JSON.stringify([same, createRequire(import.meta.url)('./same.cjs') === same]))`,
  'same.cjs': `
    module.exports = [require.main === module, __filename in require.cache, typeof require.extensions]
    module.exports.push(require('undecided').name)`,
  // What tsx does: it reads and compiles every required file itself.
  'tool.cjs': `
    const { readFileSync } = require('node:fs')
    const handler = (module, path) => module._compile(readFileSync(path, 'utf8').replace(/^#!.*/, ''), path)
    require.extensions['.js'] = handler
    globalThis.inPlace = () => require.extensions['.js'] === handler`,
  'tool-in-place.cjs': 'require("cjs"); require("cjs"); console.log(JSON.stringify([inPlace(), seen]))',
  'stack.cjs': `
    console.log(JSON.stringify(new Error('here').stack.split('\\n').filter((line) => line.includes('hook'))))`,
  'hooked.mjs': 'console.log(JSON.stringify(hooked))',
  'faulty.cjs': 'console.log(require("faulty").name)',
  'newer.cjs': 'console.log(require("newer").name, JSON.stringify(seen))',
  'early.cjs': `
    require('cjs')
    require('outer')
    import('./preload.mjs').then(() => import('./require.cjs'))`,
  'old.mjs': `
    import module from 'node:module'
    module.registerHooks = undefined
    await import('./preload.mjs')
    await import('cjs')
    await import('esm')
    console.log(JSON.stringify([hooked, seen]))`,
  'old-edited.mjs': `
    import module from 'node:module'
    module.registerHooks = undefined
    const { hookModules } = await import(${JSON.stringify(built)})
    const edit = (source) => source.replace('faulty', 'edited')
    hookModules([{ package: 'faulty', files: ['index.js'], edit, apply: ({ name }) => console.log(JSON.stringify(name)) }])
    await import('faulty')`,
  'bun.mjs': `
    import module from 'node:module'
    module.registerHooks = undefined
    Object.defineProperty(process.versions, 'bun', { value: '1.3.0' })
    await import('./preload.mjs')
    console.log(JSON.stringify(hooked))`,
})
afterAll(() => folder.remove())

const run = (...args: string[]): Promise<Ended> => runNode(args, folder.path)
const outputOf = async (...args: string[]) => {
  const { stdout, ...ended } = await run(...args)
  expect(ended).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** What is instrumented when every package is required. */
const REQUIRED = [
  ['cjs', '1.2.3', 'cjs, object'],
  ['dual', '3.0.0', 'dual, required'],
  ['@scope/name', '4.0.0', 'scoped'],
  ['cjs', '0.9.0', 'cjs, nested'],
  ['esm', '2.0.0', 'esm'],
  ['stored', '6.0.0', 'stored'],
]

it('the targets of awaited packages are added with the first of them that is loaded', async () => {
  expect(await outputOf('--require', './later.cjs', 'nothing.cjs')).toEqual(['all', 2])
  // The first attempt, for `cjs`, fails.
  expect(await outputOf('--require', './later.cjs', 'require.cjs')).toEqual(REQUIRED)
})

it('the targets of an awaited package that was required before are added at once', async () => {
  expect(await outputOf('later-early.cjs')).toEqual(['all', 1])
})

describe.each([
  ['--import', './preload.mjs'],
  ['--require', './preload.cjs'],
])('%s', (flag, preload) => {
  it('required packages are instrumented once each, in every folder, and other files are not', async () => {
    expect(await outputOf(flag, preload, 'require.cjs')).toEqual(REQUIRED)
  })

  it('imported packages are instrumented, ESM and CommonJS', async () => {
    expect(await outputOf(flag, preload, 'import.mjs')).toEqual([
      ['cjs', '1.2.3', 'cjs, object'],
      ['esm', '2.0.0', 'esm'],
      ['dual', '3.0.0', 'dual, imported'],
      ['@scope/name', '4.0.0', 'scoped'],
      ['undecided', '5.0.0', 'undecided'],
      ['stored', '6.0.0', 'stored'],
    ])
  })

  it('both copies of a dual package are instrumented, as are the imports of a required ES module', async () => {
    expect(await outputOf(flag, preload, 'both.cjs')).toEqual([
      ['dual', '3.0.0', 'dual, required'],
      ['esm', '2.0.0', 'esm'],
      ['dual', '3.0.0', 'dual, imported'],
    ])
  })

  it.each(['ordinary.cjs', 'ordinary.mjs'])('%s resolves its modules as without the hook', async (name) => {
    expect(await outputOf(flag, preload, name)).toEqual(await outputOf(name))
  })

  it.each([
    ['before', ['--require', './tool.cjs', flag, preload]],
    ['after', [flag, preload, '--import', './tool.cjs']],
  ])('packages are instrumented beside a compiling loader that was loaded %s', async (_, preloads) => {
    expect(await outputOf(...preloads, 'tool-in-place.cjs')).toEqual([true, [['cjs', '1.2.3', 'cjs, object']]])
  })

  it('without a compiling loader the hook appears in no stack trace', async () => {
    expect(await outputOf(flag, preload, 'stack.cjs')).toEqual([])
  })

  it('an instrumentation that throws causes only a debug line with package and version', async () => {
    expect(await run(flag, preload, 'faulty.cjs')).toEqual({ code: 0, stdout: 'faulty\n', stderr: '' })
    const { stdout } = await runNode([flag, preload, 'faulty.cjs'], folder.path, { SVC_DEBUG: 'true' })
    expect(stdout).toContain('cannot instrument faulty 7.0.1: no such class')
  })

  it('an unsupported version is not instrumented, which only a debug line says when it is loaded', async () => {
    expect(await run(flag, preload, 'newer.cjs')).toEqual({ code: 0, stdout: 'newer []\n', stderr: '' })
    const { stdout } = await runNode([flag, preload, 'newer.cjs'], folder.path, { SVC_DEBUG: 'true' })
    expect(stdout).toContain('newer 9.0.0 is not instrumented: supported versions are >=0.1.0 <9.0.0.')
  })

  it('hooks can be installed again', async () => {
    expect(await outputOf(flag, preload, 'hooked.mjs')).toEqual(['all', 'all', 'all'])
  })
})

// By --import only: Node runs what --require names in the thread of the loader too, where no ES module can be required.
it.each(['require.cjs', 'import.mjs', 'ordinary.cjs', 'ordinary.mjs'])(
  '%s behaves the same beside an asynchronous loader',
  async (name) => {
    const ours = ['--import', './preload.mjs']
    const loader = ['--no-deprecation', '--import', './loader.mjs']
    expect(await outputOf(...loader, ...ours, name)).toEqual(await outputOf(...ours, name))
  },
)

it('Node without module.registerHooks instruments only required packages, with a warning', async () => {
  const [sees, shown] = await outputOf('old.mjs')
  expect(sees).toEqual(['required', 'required', 'required'])
  expect(shown).toEqual([['cjs', '1.2.3', 'cjs, object']])
})

it('Node without module.registerHooks edits the sources of required packages', async () => {
  expect(await outputOf('old-edited.mjs')).toEqual('edited')
})

it('a runtime that is not Node has no hooks', async () => {
  expect(await outputOf('bun.mjs')).toEqual(['none', 'none', 'none'])
})

it('a package that was required earlier is instrumented at once, and only once', async () => {
  expect(await outputOf('early.cjs')).toEqual([
    ['cjs', '1.2.3', 'cjs, object'],
    ['cjs', '0.9.0', 'cjs, nested'],
    ['dual', '3.0.0', 'dual, required'],
    ['@scope/name', '4.0.0', 'scoped'],
    ['esm', '2.0.0', 'esm'],
    ['stored', '6.0.0', 'stored'],
  ])
})
