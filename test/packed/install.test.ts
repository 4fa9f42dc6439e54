import { cp, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { checkBudget } from './check-budget.ts'
import { installChat } from './installed.ts'
import { NPM_TIMEOUT, run } from './pack.ts'

let service: Service
let home: string
beforeAll(async () => {
  service = await startService()
  home = await installChat()
}, NPM_TIMEOUT)
afterAll(() => service.close())

/** Runs `chat.mjs` or `chat.cjs` under the preload; its one span. */
async function runChat(name: string, env: Readonly<Record<string, string>> = {}) {
  const release = ['packed', name, ...Object.keys(env)].join()
  const { code, stderr } = await runNode(['--import', '@svc/register', name], {
    cwd: home,
    env: { ...service.env, SVC_RELEASE: release, ...env },
  })
  const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === release)
  return { code, lines: stderr.trim().split('\n').filter(Boolean), spans: spans.map((span) => span.name) }
}

const NAMES: Readonly<Record<string, readonly string[]>> = {
  '@svc/otel': ['KNOWN_LLM_INSTRUMENTATION_SCOPE_PREFIXES', 'SvcSpanProcessor', 'allowScopes', 'isDefaultExportSpan'],
  '@svc/client': ['NotFoundError', 'SvcAPIError', 'SvcClient', 'SvcMedia', 'SvcMediaReference'],
  '@svc/client/score': ['createScoreManager'],
  '@svc/client/api': ['NotFoundError', 'createApi'],
  '@svc/local': ['startLocal'],
  '@svc/register/start': ['start'],
}

const application = `
import { getSvcHealth } from '@svc/register'
import { start, type StartOptions } from '@svc/register/start'
import { toolHere } from '@svc/register/tool'

const options: StartOptions = {
  serviceName: 'shop',
  scopes: { '@opentelemetry/instrumentation-http': 'keep' },
  mask: ({ data }) => data,
  shouldExportSpan: ({ otelSpan }) => otelSpan.name.startsWith('chat'),
}
export const health: number | undefined = getSvcHealth()?.ended
export const flushed: Promise<void> | undefined = start(options)?.forceFlush()
export const tool: string | undefined = toolHere()
// @ts-expect-error a treatment that there is not
start({ scopes: { http: 'maybe' } })
// @ts-expect-error a number of spans
start({ flushAt: 'all' })
`

describe('the packages as npm installs them', () => {
  it.each(['chat.mjs', 'chat.cjs'])('record the calls of %s', async (name) => {
    expect(await runChat(name)).toEqual({ code: 0, lines: [], spans: ['chat gpt-test'] })
  })

  it('print the install commands of a missing second destination and of missing instrumentations, and deliver spans', async () => {
    const env = {
      OTEL_TRACES_EXPORTER: 'console',
      OTEL_PROPAGATORS: 'b3',
      SVC_OTEL_ALLOWED_SCOPES: '@opentelemetry/instrumentation-http',
    }
    const { lines, ...rest } = await runChat('chat.mjs', env)
    expect(rest).toEqual({ code: 0, spans: ['chat gpt-test'] })
    expect(lines).toEqual([
      expect.stringMatching(/so spans go to svc alone: npm i @opentelemetry\/sdk-node @opentelemetry\/auto-/),
      expect.stringMatching(/\(http\) are not installed and are left out: npm i @opentelemetry\/auto-/),
    ])
  })

  it('hold no file that is hidden, of a test, or of a build alone', async () => {
    const names = await readdir(join(home, 'node_modules/@svc'), { recursive: true })
    expect(names.length).toBeGreaterThan(1_000)
    const STRAY = /(?:^|\/)\.|\.tsbuildinfo$|\.test\.|tsconfig[\w.]*\.json$|\.log$/
    expect(names.filter((name) => STRAY.test(name) && !name.includes('/node_modules/'))).toEqual([])
  })

  it('export the same names to import and require', async () => {
    const print = 'console.log(JSON.stringify(all))'
    const specifiers = JSON.stringify(Object.keys(NAMES))
    const importing = `const all = {}; for (const each of ${specifiers}) all[each] = Object.keys(await import(each)); ${print}`
    const requiring = `const all = {}; for (const each of ${specifiers}) all[each] = Object.keys(require(each)); ${print}`
    const imported = await runNode(['--input-type=module', '-e', importing], { cwd: home })
    const required = await runNode(['-e', requiring], { cwd: home })
    expect([imported.stderr, required.stderr]).toEqual(['', ''])
    for (const [specifier, names] of Object.entries(NAMES)) {
      for (const { stdout } of [imported, required]) {
        expect(JSON.parse(stdout)[specifier], specifier).toEqual(expect.arrayContaining([...names]))
      }
    }
  })

  it('have types, of which those of @svc/register need no other packages', async () => {
    const alone = await mkdtemp(join(tmpdir(), 'svc-packed-'))
    const register = 'node_modules/@svc/register'
    await cp(join(home, register), join(alone, register), { recursive: true })
    for (const name of ['app.mts', 'app.cts']) await writeFile(join(alone, name), application)
    const [tsc, types] = ['typescript/bin/tsc', '@types'].map((path) =>
      fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url)),
    ) as [string, string]
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2023,dom', '--types', 'node']
    const compiled = run(process.execPath, [tsc, ...flags, '--typeRoots', types, 'app.mts', 'app.cts'], { cwd: alone })
    const errors = await compiled.then(
      () => '',
      ({ stdout }) => String(stdout),
    )
    expect(errors).toBe('')
  })

  it('install the programs svc-local and svc, whose doctor finds the packages and runs an app with them', async () => {
    const [local, svc] = ['svc-local', 'svc'].map((name) => join(home, 'node_modules', '.bin', name)) as [
      string,
      string,
    ]
    expect((await run(local, ['--help'])).stdout).toContain('--port')
    const options = { cwd: home, env: service.env }
    const { code, stdout } = await runNode([svc, 'doctor', '--', 'node', 'chat.mjs'], options)
    expect(stdout).toContain('1 span arrived at the service')
    expect(code).toBe(0)
  })
})

checkBudget(() => home)
