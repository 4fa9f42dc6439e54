import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { cwd } from './apps.ts'

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const run = promisify(execFile)
// A wrong setting is said wherever the preload starts: silence proves that it did not.
const keys = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:1', SVC_TIMEOUT: 'soon' }
const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_OPTIONS: '--import @svc/register', ...keys }

describe('the preload does nothing in a process that is not the application:', () => {
  it.each([
    ['npm', ['--version']],
    ['node', ['--test', emptyTest()]],
    ['node', [TSC, '--version']],
  ])('%s %j', async (program, args) => {
    const { stdout, stderr } = await run(program, args, { cwd, env })
    expect(stdout + stderr).not.toContain('SVC_')
  })
})

it('SVC_FORCE starts it there as well', async () => {
  const { stderr } = await run('npm', ['--version'], { cwd, env: { ...env, SVC_FORCE: 'true' } })
  expect(stderr).toMatch(/SVC_TIMEOUT="soon"/)
})

function emptyTest(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'svc-tools-')), 'empty.test.mjs')
  writeFileSync(file, '')
  return file
}
