import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { runSvc } from './support/svc.ts'

const EXAMPLE = fileURLToPath(new URL('../../examples/evals-in-ci/', import.meta.url))
const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const QUESTION = 'Is Stockholm the capital of Sweden?'
const POEM = 'Answer as a poem, and never with the name of a town.'

let service: Service
let cwd: string
beforeAll(async () => {
  service = await startService()
  cwd = mkdtempSync(join(tmpdir(), 'failing-trace-'))
  for (const name of ['answer.js', 'ask.js', 'package.json']) cpSync(join(EXAMPLE, name), join(cwd, name))
  symlinkSync(join(EXAMPLE, 'node_modules'), join(cwd, 'node_modules'))
})
afterAll(async () => {
  await service.close()
  rmSync(cwd, { recursive: true })
})

const svc = (...args: string[]) => runSvc(args, { cwd, env: service.env })
const evals = (INSTRUCTION: string) =>
  runNode([VITEST, 'run', '--config', 'evals.config.mjs'], { cwd, env: { ...service.env, NO_COLOR: '1', INSTRUCTION } })
describe('a failing run of an example', () => {
  it('is a red experiment after three commands, which is green when the prompt is mended', async () => {
    const asked = await runNode(['--import', '@svc/register', 'ask.js', QUESTION], {
      cwd,
      env: { ...service.env, INSTRUCTION: POEM },
    })
    expect(asked.stdout).not.toContain('Stockholm')

    const where = 'name=answer text=Stockholm since=1d'
    const added = await svc('datasets', 'add', 'capitals', '--where', where, '--expected', 'Stockholm', '--yes')
    expect(added).toMatchObject({ code: 0, stderr: '' })
    expect(added.stdout).toMatch(/ {2}answer .*\n {2}input: Is Stockholm.*\n {2}expected: Stockholm\n1 item added/)
    expect(await svc('init-evals', 'capitals', '--task', 'answer.js#answer')).toMatchObject({ code: 0, stderr: '' })
    const red = await evals(POEM)
    expect(red.code).toBe(1)
    expect(red.stderr).toContain('as-expected is 0: expected at least 1')

    expect(await evals('')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') })
  })
})
