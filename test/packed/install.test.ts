import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installPacked, run } from './pack.ts'

let service: Service
let home: string

/** A peer dependency of ours, which is a hundred megabytes. */
const VITEST = fileURLToPath(new URL('../../node_modules/vitest', import.meta.url))

/** Those of Next, Nest and LangChain would bring their frameworks; they are installed with all of ours in other files. */
const PACKAGES = ['cli', 'client', 'local', 'otel', 'register'].map((name) => `@svc/${name}`)

beforeAll(async () => {
  service = await startService()
  const dependencies = { openai: '7.55.0', 'api-1.9': 'npm:@opentelemetry/api@1.9.0' }
  home = await installPacked({ dependencies }, { only: PACKAGES })
  await symlink(VITEST, join(home, 'node_modules/vitest'), 'junction')
  for (const name of ['chat.mjs', 'chat.cjs']) {
    const source = new URL(`../preload/apps/${name}`, import.meta.url)
    await writeFile(join(home, name), await readFile(source))
  }
}, 180_000)
afterAll(() => service.close())

describe('the packages as npm installs them', () => {
  it.each(['chat.mjs', 'chat.cjs'])('record the calls of %s', async (name) => {
    const env = { ...service.env, SVC_RELEASE: `packed ${name}` }
    const { code, stderr } = await runNode(['--import', '@svc/register', name], { cwd: home, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === `packed ${name}`)
    expect(spans.map((span) => span.name)).toEqual(['chat gpt-test'])
  })

  it('print the install command of a missing second destination, and deliver spans', async () => {
    const env = { ...service.env, OTEL_TRACES_EXPORTER: 'console', OTEL_PROPAGATORS: 'b3', SVC_RELEASE: 'no second' }
    const { code, stderr } = await runNode(['--import', '@svc/register', 'chat.mjs'], { cwd: home, env })
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({
      code: 0,
      lines: [expect.stringMatching(/so spans go to svc alone: npm i @opentelemetry\/sdk-node @opentelemetry\/auto-/)],
    })
    const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === 'no second')
    expect(spans.map((span) => span.name)).toEqual(['chat gpt-test'])
  })

  it('skip missing OpenTelemetry instrumentations with one line', async () => {
    const scope = '@opentelemetry/instrumentation-http'
    const env = { ...service.env, SVC_OTEL_ALLOWED_SCOPES: scope, SVC_RELEASE: 'no http' }
    const { code, stderr } = await runNode(['--import', '@svc/register', 'chat.mjs'], { cwd: home, env })
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({
      code: 0,
      lines: [expect.stringMatching(/\(http\) are not installed and are left out: npm i @opentelemetry\/auto-/)],
    })
    expect(service.local.spans().filter((span) => span.attributes['svc.release'] === 'no http')).toHaveLength(1)
  })

  it.each([
    [
      '@svc/otel',
      ['KNOWN_LLM_INSTRUMENTATION_SCOPE_PREFIXES', 'SvcSpanProcessor', 'allowScopes', 'isDefaultExportSpan'],
    ],
    ['@svc/client', ['NotFoundError', 'SvcAPIError', 'SvcClient', 'SvcMedia', 'SvcMediaReference']],
    ['@svc/client/score', ['createScoreManager']],
    ['@svc/client/api', ['NotFoundError', 'createApi']],
    ['@svc/local', ['startLocal']],
    ['@svc/register/start', ['start']],
  ])('export the same names of %s to import and require', async (specifier, names) => {
    const list = 'console.log(Object.keys(it).join())'
    const imported = await runNode(['--input-type=module', '-e', `import * as it from '${specifier}'; ${list}`], {
      cwd: home,
    })
    const required = await runNode(['-e', `const it = require('${specifier}'); ${list}`], { cwd: home })
    expect(imported.stdout.trim().split(',')).toEqual(expect.arrayContaining(names))
    expect(required.stdout.trim().split(',')).toEqual(expect.arrayContaining(names))
  })

  it('record beside an older @opentelemetry/api that was loaded first', async () => {
    const first = `require('api-1.9').propagation.setGlobalPropagator({ inject() {}, extract: (it) => it, fields: () => [] })`
    await writeFile(join(home, 'older.cjs'), first)
    const args = ['--require', './older.cjs', '--import', '@svc/register', 'chat.mjs']
    const env = { ...service.env, SVC_RELEASE: 'older API' }
    const { code, stdout, stderr } = await runNode(args, { cwd: home, env })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /), stderr: '' })
    const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === 'older API')
    expect(spans.map((span) => span.name)).toEqual(['chat gpt-test'])
  })

  it('run an experiment as tests, whose items become traces', async () => {
    const evals = new URL('../client/evals/', import.meta.url)
    for (const name of ['words.eval.mjs', 'vitest.config.mjs'])
      await writeFile(join(home, name), await readFile(new URL(name, evals)))
    const env = { ...service.env, SVC_RELEASE: 'evals' }
    const { code, stdout, stderr } = await runNode(['node_modules/vitest/vitest.mjs', 'run'], { cwd: home, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('3 passed')
    const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === 'evals')
    expect(spans.map((span) => span.name)).toEqual(Array(3).fill('experiment-item-run'))
  })

  it.each([
    ['svc-local', ['--help'], '--port'],
    ['svc', ['local', '--help'], '--port'],
    ['svc', ['migrate', 'datasets', '--help'], '--dataset'],
  ])('install the program %s %j', async (program, args, flag) => {
    const { stdout } = await run(join(home, 'node_modules', '.bin', program), args)
    expect(stdout).toContain(flag)
  })

  it('install the doctor, which finds the packages and runs an app with them', async () => {
    const doctor = join(home, 'node_modules', '.bin', 'svc')
    const { code, stdout } = await runNode([doctor, 'doctor', '--', 'node', 'chat.mjs'], {
      cwd: home,
      env: service.env,
    })
    expect(stdout).toContain('1 span arrived at the service')
    expect(code).toBe(0)
  })
})
