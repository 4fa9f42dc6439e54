import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { installPacked, NPM_TIMEOUT } from '../packed/pack.ts'
import { Program } from '../support/run.ts'
import { stable } from './stable.ts'

const dependencies = {
  esbuild: '0.28.2',
  eslint: '10.15.0',
  npm: '12.2.0',
  pnpm: '10.34.9',
  prisma: '7.10.1',
  // The last one that runs in Node.
  typescript: '6.0.3',
  vite: '8.3.8',
  yarn: '1.22.22',
}

/** What each does in the project. */
const TOOLS: readonly (readonly [name: string, ...args: string[]])[] = [
  ['npm', 'run', 'nothing'],
  ['npx', '--no', 'tsc', '--', '--version'],
  ['pnpm', 'run', 'nothing'],
  ['yarn', 'run', 'nothing'],
  ['tsc', '--noEmit', 'main.ts'],
  ['eslint', 'main.js'],
  ['vite', 'build'],
  ['esbuild', 'main.ts', '--bundle', '--outfile=built.js'],
  // To migrate, it runs a program that no package has: it downloads it from a host of its own.
  ['prisma', 'generate'],
]

/** It only wants that program to be there. */
const prisma = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }

const project = fileURLToPath(new URL('tools', import.meta.url))
let home: string
beforeAll(async () => {
  const manifest = { scripts: { nothing: 'true' }, dependencies }
  home = await installPacked(manifest, { only: ['@svc/cli', '@svc/register'] })
  await cp(project, home, { recursive: true })
}, NPM_TIMEOUT)

// A wrong setting is said wherever the preload starts: silence shows that it did not.
const keys = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:1', SVC_TIMEOUT: 'soon' }

describe('tools print and end as without svc', () => {
  it.each(TOOLS)('%s %s', async (name, ...args) => {
    const bin = join(home, 'node_modules/.bin')
    const run = async (command: readonly [string, ...string[]], env: Readonly<Record<string, string>>) => {
      const PATH = `${bin}:${process.env.PATH}`
      const variables = { PATH, CI: 'true', npm_config_update_notifier: 'false', NO_COLOR: '1', ...prisma, ...env }
      const [program, ...rest] = command
      const { code, stdout, stderr } = await new Program(program, rest, { cwd: home, env: variables }).ended
      return { code, stdout: stable(stdout), stderr: stable(stderr) }
    }
    const bare = await run([name, ...args], {})
    expect(bare.code, bare.stdout + bare.stderr).toBe(0)
    const preload = pathToFileURL(join(home, 'node_modules/@svc/register/index.js'))
    expect(await run([name, ...args], { ...keys, NODE_OPTIONS: `--import ${preload}` })).toEqual(bare)
    expect(await run(['svc', 'run', '--', name, ...args], keys)).toEqual(bare)
  })
})
