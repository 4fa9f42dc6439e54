import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { installPacked, manifestIn, run } from './pack.ts'

/** What `nest new` of Nest 11 makes: Jest with ts-jest, CommonJS; and a use of svc that its configuration knows nothing of. */
const project = fileURLToPath(new URL('nest-11', import.meta.url))

let home: string
beforeAll(async () => {
  home = await installPacked(await manifestIn(project))
  await cp(project, home, { recursive: true, filter: (source) => !source.endsWith('package.json') })
}, 300_000)

/** Runs a program of the project; its output, whatever it ends with. */
async function program(name: string, args: string[] = [], nodeOptions?: string): Promise<string> {
  // Of the runner that we are ourselves nothing is to be seen.
  const { VITEST: _, NODE_ENV: __, NODE_OPTIONS: ___, ...rest } = process.env
  const env = { ...rest, ...(nodeOptions ? { NODE_OPTIONS: nodeOptions } : {}) }
  try {
    const { stdout, stderr } = await run(join(home, 'node_modules/.bin', name), args, { cwd: home, env })
    return stdout + stderr
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return stdout + stderr
  }
}

const summary = (said: string) => /^Tests: .*$/m.exec(said)?.[0] ?? said

describe('a project of Nest 11 as nest new makes it', () => {
  it('passes its tests in Jest, without a line of configuration and without a word', async () => {
    const said = await program('jest')
    expect(summary(said)).toBe('Tests:       3 passed, 3 total')
    expect(said).not.toMatch(/console\.\w+|svc:/)
  }, 120_000)

  it('passes them with --experimental-vm-modules as well', async () => {
    const said = await program('jest', [], '--experimental-vm-modules')
    expect(summary(said)).toBe('Tests:       3 passed, 3 total')
    expect(said).not.toMatch(/console\.\w+|svc:/)
  }, 120_000)

  it('compiles, and starts in CommonJS', async () => {
    expect(await program('tsc')).toBe('')
    expect(await program('tsc', ['-p', 'tsconfig.classic.json'])).toBe('')
    const { stdout } = await run(process.execPath, ['classic/classic.js'], { cwd: home })
    expect(stdout).toBe('true\n')
  }, 120_000)

  it('has one copy of the packages in Node, whether they are imported or required', async () => {
    const code = `import('@svc/nestjs').then((it) => console.log(it.SvcModule === require('@svc/nestjs').SvcModule))`
    const { stdout } = await run(process.execPath, ['-e', code], { cwd: home })
    expect(stdout).toBe('true\n')
  })
})
