import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalService, startLocal } from '@svc/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fill } from '../../packages/local/test/support/many-traces.ts'
import { runSvc } from './support/svc.ts'

let local: LocalService
let cwd: string
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'svc-traces-'))
  local = await startLocal({ db: join(cwd, 'svc.db') })
  await fill(local, 51)
})
afterAll(async () => {
  await local.close()
  rmSync(cwd, { recursive: true })
})

const traces = (...args: string[]) => runSvc(['traces', ...args], { cwd, env: local.env })

describe('svc traces', () => {
  it('is Markdown in a pipe, with the command for the rest', async () => {
    const { code, stdout } = await traces('list', '--limit', '2', '--tag', 'web')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^## 2 traces, the newest first\n\nRecorded by an application.*\n\n```text\n2.*\n2.*\n```\n/)
    const [, rest = ''] = /^- older traces: svc traces (.*)$/m.exec(stdout) ?? []
    expect(rest).toMatch(/^list --tag web --limit 2 --until \S+$/)
    expect((await traces(...rest.split(' '))).stdout).toContain('user=user-46')
  })

  it('is an object a line with --json, and says there what is left out', async () => {
    const { stdout } = await traces('list', '--json', '--limit', '2')
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toEqual([
      expect.objectContaining({ userId: 'user-50', errors: 1, tokens: 1020 }),
      expect.objectContaining({ userId: 'user-49', errors: 0 }),
      { more: [expect.stringMatching(/^older traces: svc traces list --limit 2 --until /)] },
    ])
  })

  it('shows a trace by the beginning of its id, and whole inputs on demand', async () => {
    const { stdout: found } = await traces('list', '--user', 'user-50', '--json')
    const id = String(JSON.parse(found.split('\n')[0] ?? '').traceId)
    const { stdout } = await traces('show', id.slice(0, 12), '--io', 'full')
    expect(stdout).toContain(`## Trace ${id}\n`)
    expect(stdout).toContain('ERROR: index 50 timed out after 5000 ms')
    expect(stdout).toContain('  | {"query":"words of 50","limit":5}')
  })

  it('reads from the file of svc local, and says so in its commands', async () => {
    const { code, stdout } = await runSvc(['traces', 'errors', '--limit', '1', '--db', 'svc.db'], { cwd })
    expect([code, stdout]).toEqual([0, expect.stringContaining('2×  TOOL search_docs: index 50 timed out')])
  })

  it.each([
    [['list', '--since', 'soon'], /^svc traces: since="soon": expected a time such as 10m/],
    [['show', 'ffff'], /^svc traces: no trace has an id that begins with ffff\n/],
    [['list', '--db', 'other.db'], /^there is no file other\.db: svc local --db other\.db makes it\n/],
    [
      ['list', '--local', 'http://127.0.0.1:1'],
      /^no svc local answers at http:\/\/127\.0\.0\.1:1: .*\nsvc doctor says/,
    ],
  ])('%j: what makes no sense, or is not there, is said in a line', async (args, line) => {
    const { code, stdout, stderr } = await traces(...args)
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(line)])
  })

  it('refused keys are explained', async () => {
    const env = { ...local.env, SVC_SECRET_KEY: 'sk-svc-of-another' }
    const { code, stderr } = await runSvc(['traces', 'list'], { cwd, env })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^127\.0\.0\.1:\d+ refuses the keys/)])
  })
})

it('svc skill writes what agents read, once', async () => {
  const skill = () => runSvc(['skill'], { cwd })
  expect((await skill()).stdout).toBe(
    '.agents/skills/svc/SKILL.md is written: agents that read this folder know how to use svc\n',
  )
  const text = readFileSync(join(cwd, '.agents/skills/svc/SKILL.md'), 'utf8')
  expect(text).toMatch(/^---\nname: svc\ndescription: .+\n---\n/)
  expect((await skill()).code).toBe(0)
})
