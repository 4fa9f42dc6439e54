import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp } from '../../packages/cli/test/support/fixture.ts'
import { app, cwd } from '../preload/apps.ts'
import { runNode, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const SVC = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url))

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

interface Found {
  readonly id: string
  readonly severity: string
  readonly seen: string
  readonly means?: string
  readonly remedy?: string
}

/** Runs `svc doctor --json -- node …args` and gives what it found. */
async function doctor(args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) {
  const command = [SVC, 'doctor', '--json', '--', process.execPath, ...args]
  const { code, stdout, stderr } = await runNode(command, { cwd, env: { ...service.env, ...env } })
  const findings: Found[] = JSON.parse(stdout).findings
  return { code, stderr, findings, names: findings.map(({ id, severity }) => `${severity} ${id}`) }
}

describe('svc doctor -- node app.js', () => {
  it.each(['chat.mjs', 'chat.cjs'])('reports what happened to the spans of %s', async (name) => {
    const before = service.local.count()
    const { code, stderr, findings } = await doctor([app(name)])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^answer: /)
    expect(findings.map(({ severity, seen }) => `${severity}: ${seen}`)).toEqual([
      expect.stringMatching(/^ok: instrumented libraries: openai \d+\.\d+\.\d+$/),
      expect.stringMatching(/^ok: 1 span started: 1 of @svc\/instrumentation-openai$|^ok: 1 span started: 1 of \S+$/),
      'ok: 1 span arrived at the service',
    ])
    expect(service.local.count()).toBe(before + 1)
  })

  it('prints a readable report after the output of the app', async () => {
    const { code, stdout } = await runNode([SVC, 'doctor', '--', process.execPath, app('chat.mjs')], {
      cwd,
      env: service.env,
    })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^answer: .*\nRun\n {2}ok {4}instrumented libraries: openai/)
    expect(stdout).toMatch(/No errors found\.\n$/)
  })

  it('works if the command already has the preload', async () => {
    const { names } = await doctor(['--import', '@svc/register', app('chat.mjs')])
    expect(names).toEqual(['ok run-libraries', 'ok run-spans', 'ok run-delivered'])
  })

  it('follows a child process', async () => {
    const start = `require('node:child_process').spawnSync(process.execPath, ['${app('chat.mjs')}'], { stdio: 'inherit' })`
    expect((await doctor(['-e', start])).names).toEqual(['ok run-libraries', 'ok run-spans', 'ok run-delivered'])
  })

  it('reports why svc does not start', async () => {
    const { code, names } = await doctor([app('chat.mjs')], { SVC_SECRET_KEY: undefined })
    expect(code).toBe(1)
    expect(names.slice(0, 2)).toEqual(['error run-not-traced', 'error keys-missing'])
  })

  it('reports that no call was made', async () => {
    const { code, names } = await doctor(['-e', '0'])
    expect({ code, names }).toEqual({ code: 1, names: ['warning run-libraries', 'error run-spans'] })
  })

  it('reports which spans are dropped, and how to keep them', async () => {
    const spans = ['checkout', '@opentelemetry/instrumentation-http'].map(
      (scope) => `trace.getTracer('${scope}').startSpan('work').end()`,
    )
    const source = `import { trace } from '@opentelemetry/api'; ${spans.join(';')}`
    const { findings } = await doctor(['--input-type=module', '-e', source])
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

  it('reports that nothing was sampled', async () => {
    const { code, names } = await doctor([app('chat.mjs')], { OTEL_TRACES_SAMPLER: 'always_off' })
    expect({ code, names }).toEqual({ code: 1, names: ['ok run-libraries', 'error run-left-out'] })
  })

  it('reports lost spans with the reason', async () => {
    const { code, findings } = await doctor([app('chat.mjs')], {
      SVC_SECRET_KEY: 'sk-of-another-project',
      SVC_SHUTDOWN_TIMEOUT: '1',
    })
    expect(code).toBe(1)
    expect(findings.at(-1)).toMatchObject({ id: 'run-lost', severity: 'error', seen: '1 span lost' })
    expect(findings.at(-1)?.means).toMatch(/SVC_SHUTDOWN_TIMEOUT.*refuses the keys/)
  })

  it('reports that the process was killed', async () => {
    const { names } = await doctor(['-e', "process.kill(process.pid, 'SIGKILL')"])
    expect(names).toEqual(['warning run-libraries', 'error run-spans', 'warning run-killed', 'info run-ended'])
  })

  it('reports spans in the spool for the next start', async () => {
    const SVC_OTEL_SPOOL_DIR = makeApp({})
    const { code, findings } = await doctor([app('chat.mjs')], {
      SVC_BASE_URL: 'http://127.0.0.1:1',
      SVC_OTEL_SPOOL_DIR,
    })
    expect(code).toBe(0)
    expect(findings.at(-1)).toMatchObject({ id: 'run-pending', severity: 'warning', seen: '1 span not delivered' })
  })

  it.each([
    ['run-failed', 'a command that cannot be started', ['no-such-program'], cwd],
    ['run-no-node', 'a command that is not Node', ['true'], cwd],
    ['run-not-installed', 'an app without the preload', ['node', 'app.js'], undefined],
  ])('%s: %s', async (id, _, command, folder) => {
    const where = { cwd: folder ?? makeApp({}), env: service.env }
    const { code, stdout } = await runNode([SVC, 'doctor', '--json', '--', ...command], where)
    expect({ code, ids: JSON.parse(stdout).findings.map((found: Found) => found.id) }).toEqual({ code: 1, ids: [id] })
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('reports what a server did until %s', async (signal) => {
    const program = startNode([SVC, 'doctor', '--', process.execPath, app('server.mjs')], { cwd, env: service.env })
    const [, port] = await program.printed(/(?:listening|port)\D+(\d+)/)
    await (await fetch(`http://127.0.0.1:${port}/chat`)).text()
    program.kill(signal)
    const { stdout } = await program.ended
    expect(stdout).toMatch(/spans? arrived at the service/)
  })
})
