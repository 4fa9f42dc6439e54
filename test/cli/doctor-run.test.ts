import { describe, expect, it } from 'vitest'
import { makeApp } from '../../packages/cli/test/support/fixture.ts'
import { app, cwd } from '../preload/apps.ts'
import { startNode } from '../support/run.ts'
import { type Found, SVC, useDoctor } from './support/doctor.ts'
import { runSvc } from './support/svc.ts'

const doctor = useDoctor()

// What is found in which report of a process: packages/cli/src/doctor/run/findings.test.ts.
describe('svc doctor -- node app.js', () => {
  it('reports what happened to the spans of the app', async () => {
    const before = doctor.local.count()
    const { code, stderr, findings } = await doctor.json([app('chat.mjs')])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^answer: /)
    expect(findings.map(({ severity, seen }) => `${severity}: ${seen}`)).toEqual([
      expect.stringMatching(/^ok: instrumented libraries: openai \d+\.\d+\.\d+$/),
      expect.stringMatching(/^ok: 1 span started: 1 of @svc\/instrumentation-openai$|^ok: 1 span started: 1 of \S+$/),
      'ok: 1 span arrived at the service',
    ])
    expect(doctor.local.count()).toBe(before + 1)
  })

  it('prints a readable report after the output of a server, which it ends', async () => {
    const program = startNode([SVC, 'doctor', '--', process.execPath, app('server.mjs')], { cwd, env: doctor.env })
    const [, port] = await program.printed(/(?:listening|port)\D+(\d+)/)
    await (await fetch(`http://127.0.0.1:${port}/chat`)).text()
    program.kill('SIGTERM')
    const { stdout } = await program.ended
    expect(stdout).toMatch(/\nRun\n {2}ok {4}instrumented libraries: openai/)
    expect(stdout).toMatch(/spans? arrived at the service\n/)
    expect(stdout).toMatch(/No errors found\.\n$/)
  })

  it('reports why svc does not start', async () => {
    const { code, names } = await doctor.json([app('chat.mjs')], { SVC_SECRET_KEY: undefined })
    expect(code).toBe(1)
    expect(names.slice(0, 2)).toEqual(['error run-not-traced', 'error keys-missing'])
  })

  it('reports which spans are dropped, and how to keep them', async () => {
    const spans = ['checkout', '@opentelemetry/instrumentation-http'].map(
      (scope) => `trace.getTracer('${scope}').startSpan('work').end()`,
    )
    const source = `import { trace } from '@opentelemetry/api'; ${spans.join(';')}`
    const { findings } = await doctor.json(['--input-type=module', '-e', source])
    expect(findings.filter(({ id }) => id === 'run-left-out')).toMatchObject([
      {
        severity: 'warning',
        seen: '1 span of scope checkout: left out',
        remedy: 'Set SVC_OTEL_ALLOWED_SCOPES=checkout to keep them.',
      },
      {
        severity: 'info',
        seen: 'spans of scope @opentelemetry/instrumentation-http: left out',
        remedy: 'Set SVC_OTEL_ALLOWED_SCOPES=@opentelemetry/instrumentation-http to record them.',
      },
    ])
    expect(findings.at(-1)).toMatchObject({
      id: 'run-delivered',
      severity: 'error',
      means: 'All of them were dropped.',
    })
  })

  it.each([
    ['run-failed', 'a command that cannot be started', ['no-such-program'], cwd],
    ['run-no-node', 'a command that is not Node', ['true'], cwd],
    ['run-not-installed', 'an app without the preload', ['node', 'app.js'], undefined],
  ])('%s: %s', async (id, _, command, folder) => {
    const where = { cwd: folder ?? makeApp({}), env: doctor.env }
    const { code, stdout } = await runSvc(['doctor', '--json', '--', ...command], where)
    expect({ code, ids: JSON.parse(stdout).findings.map((found: Found) => found.id) }).toEqual({ code: 1, ids: [id] })
  })
})
