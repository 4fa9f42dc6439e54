import { describe, expect, it } from 'vitest'
import { makeApp } from '../../packages/cli/test/support/fixture.ts'
import { app, cwd } from '../preload/apps.ts'
import { startNode } from '../support/run.ts'
import { SVC, useDoctor } from './support/doctor.ts'

const doctor = useDoctor()

describe('svc doctor -- node app.js', () => {
  it('reports the spans of a CommonJS app', async () => {
    const { code, names } = await doctor.json([app('chat.cjs')])
    expect({ code, names }).toEqual({ code: 0, names: ['ok run-libraries', 'ok run-spans', 'ok run-delivered'] })
  })

  it('works if the command already has the preload', async () => {
    const { names } = await doctor.json(['--import', '@svc/register', app('chat.mjs')])
    expect(names).toEqual(['ok run-libraries', 'ok run-spans', 'ok run-delivered'])
  })

  it('follows a child process', async () => {
    const start = `require('node:child_process').spawnSync(process.execPath, ['${app('chat.mjs')}'], { stdio: 'inherit' })`
    expect((await doctor.json(['-e', start])).names).toEqual(['ok run-libraries', 'ok run-spans', 'ok run-delivered'])
  })

  it('reports that no call was made', async () => {
    const { code, names } = await doctor.json(['-e', '0'])
    expect({ code, names }).toEqual({ code: 1, names: ['warning run-libraries', 'error run-spans'] })
  })

  it('reports that nothing was sampled', async () => {
    const { code, names } = await doctor.json([app('chat.mjs')], { OTEL_TRACES_SAMPLER: 'always_off' })
    expect({ code, names }).toEqual({ code: 1, names: ['ok run-libraries', 'error run-left-out'] })
  })

  it('reports lost spans with the reason', async () => {
    const { code, findings } = await doctor.json([app('chat.mjs')], { SVC_SECRET_KEY: 'sk-of-another-project' })
    expect(code).toBe(1)
    expect(findings.at(-1)).toMatchObject({ id: 'run-lost', severity: 'error', seen: '1 span lost' })
    expect(findings.at(-1)?.means).toMatch(/SVC_SHUTDOWN_TIMEOUT.*refuses the keys/)
  })

  it('reports that the process was killed', async () => {
    const { names } = await doctor.json(['-e', "process.kill(process.pid, 'SIGKILL')"])
    expect(names).toEqual(['warning run-libraries', 'error run-spans', 'warning run-killed', 'info run-ended'])
  })

  it('reports spans in the spool for the next start', async () => {
    const SVC_OTEL_SPOOL_DIR = makeApp({})
    const { code, findings } = await doctor.json([app('chat.mjs')], {
      SVC_BASE_URL: 'http://127.0.0.1:1',
      SVC_OTEL_SPOOL_DIR,
    })
    expect(code).toBe(0)
    expect(findings.at(-1)).toMatchObject({ id: 'run-pending', severity: 'warning', seen: '1 span not delivered' })
  })

  it('reports what a server did until Ctrl-C', async () => {
    const program = startNode([SVC, 'doctor', '--', process.execPath, app('server.mjs')], { cwd, env: doctor.env })
    const [, port] = await program.printed(/(?:listening|port)\D+(\d+)/)
    await (await fetch(`http://127.0.0.1:${port}/chat`)).text()
    program.kill('SIGINT')
    const { stdout } = await program.ended
    expect(stdout).toMatch(/spans? arrived at the service/)
  })
})
