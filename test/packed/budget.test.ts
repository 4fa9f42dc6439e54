import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { BUDGET } from './budget.ts'
import { installPacked } from './pack.ts'

let home: string
beforeAll(async () => {
  home = await installPacked({ dependencies: {} }, { only: ['@svc/register'] })
}, 180_000)

const env = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:9' }
// Written past the console, which loads more than all of this.
const write = (what: string) => `require('node:fs').writeSync(1, JSON.stringify(${what}))`

async function inNode(args: string[], what: string): Promise<string[]> {
  const { code, stdout, stderr } = await runNode([...args, '-e', write(what)], { cwd: home, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('the start of an empty program costs', () => {
  it('no more files, and bytes of code, than the budget has', async () => {
    const loaded = await inNode(['--import', '@svc/register'], 'Object.keys(require("node:module")._cache)')
    const own = loaded.filter((file) => file.includes(join('@svc', 'register')))
    const sizes = await Promise.all(own.map(async (file) => (await stat(file)).size))
    expect(own.length, own.join('\n')).toBeLessThanOrEqual(BUDGET.files)
    expect(own.length).toBeGreaterThan(0)
    const list = own.map((file, at) => `${sizes[at]} ${file}`).join('\n')
    expect(
      sizes.reduce((sum, size) => sum + size, 0),
      list,
    ).toBeLessThanOrEqual(BUDGET.bytes)
  })

  it("no module of Node's beyond those that it may load", async () => {
    const list = `process.moduleLoadList.filter((name) => /^NativeModule (?!internal)/.test(name)).map((name) => name.slice(13))`
    const bare = new Set(await inNode([], list))
    const loaded = await inNode(['--import', '@svc/register'], list)
    expect(loaded).toContain('async_hooks')
    expect(loaded.filter((name) => !bare.has(name) && !BUDGET.builtins.includes(name))).toEqual([])
  })
})

it('npm installs no more packages and bytes than the budget has', async () => {
  const files = await readdir(join(home, 'node_modules'), { recursive: true, withFileTypes: true })
  const manifests = files.filter(({ name, parentPath }) => name === 'package.json' && PACKAGE.test(parentPath))
  const sizes = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async ({ name, parentPath }) => (await stat(join(parentPath, name))).size),
  )
  expect(manifests.map(({ parentPath }) => parentPath).length, manifests.join('\n')).toBeLessThanOrEqual(
    BUDGET.packages,
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET.installedBytes)
})

/** The folder of a package, not one inside of it. */
const PACKAGE = /node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+$/
