import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const SVC = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url))
const CHAT = fileURLToPath(new URL('../preload/apps/chat.mjs', import.meta.url))

let service: Service
let elsewhere: string
beforeAll(async () => {
  service = await startService()
  // A folder that has none of our packages.
  elsewhere = await mkdtemp(join(tmpdir(), 'svc-run-'))
  const scripts = { start: 'node start.mjs' }
  await writeFile(join(elsewhere, 'package.json'), JSON.stringify({ private: true, scripts }))
  await writeFile(
    join(elsewhere, 'start.mjs'),
    `import { spawnSync } from 'node:child_process'\nspawnSync(process.execPath, [${JSON.stringify(CHAT)}], { stdio: 'inherit' })\n`,
  )
})
afterAll(() => service.close())

const options = () => ({ cwd: elsewhere, env: { ...service.env, PATH: process.env.PATH } })
const svcRun = (command: readonly string[]) => runNode([SVC, 'run', ...command], options())

describe('svc run', () => {
  it('records the calls of whatever the command starts, in a folder without our packages', async () => {
    const { code, stdout, stderr } = await svcRun(['--', 'npm', 'start', '--silent'])
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /), stderr: '' })
    expect(service.local.spans().map(({ name }) => name)).toEqual(['chat gpt-test'])
  })

  it('ends as the command does', async () => {
    expect((await svcRun(['node', '-e', 'process.exit(3)'])).code).toBe(3)
    expect((await svcRun(['node', '-e', "process.kill(process.pid, 'SIGTERM')"])).code).toBe(143)
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)('passes %s to the command', async (signal) => {
    const waiting = `process.on('${signal}', () => process.exit(5)); setInterval(() => {}, 1_000); console.log('ready')`
    const program = startNode([SVC, 'run', 'node', '-e', waiting], options())
    await program.printed(/ready/)
    program.kill(signal)
    expect((await program.ended).code).toBe(5)
  })

  it('says in one line what is missing', async () => {
    const missing = await svcRun([])
    expect(missing).toMatchObject({ code: 1, stderr: 'svc run: name a command: svc run -- npm start\n' })
    const unknown = await svcRun(['no-such-program'])
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^svc run: no-such-program cannot be started: .*\n$/),
    })
  })
})
