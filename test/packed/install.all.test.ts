import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startLocal } from '@svc/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { fill } from '../../packages/local/test/support/many-traces.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installChat } from './installed.ts'
import { NPM_TIMEOUT, run } from './pack.ts'

interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly volumeMounts: readonly { readonly mountPath: string }[]
}

let service: Service
let home: string

const LOADED = fileURLToPath(new URL('../cli/loaded.mjs', import.meta.url))
/** A peer dependency of ours, which is a hundred megabytes. */
const VITEST = fileURLToPath(new URL('../../node_modules/vitest', import.meta.url))

beforeAll(async () => {
  service = await startService()
  home = await installChat({ 'api-1.9': 'npm:@opentelemetry/api@1.9.0' })
  await symlink(VITEST, join(home, 'node_modules/vitest'), 'junction')
}, NPM_TIMEOUT)
afterAll(() => service.close())

const spansOf = (release: string) =>
  service.local
    .spans()
    .filter((span) => span.attributes['svc.release'] === release)
    .map(({ name }) => name)

const EVALS = fileURLToPath(new URL('../client/evals/', import.meta.url))

const TEST_OF_AGENT = `
import { replay } from '@svc/client/vitest'
import { afterAll, expect, it, vi } from 'vitest'

const { close, differences } = await replay('trace.json')
afterAll(close)

it('says what it said', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  await import('./chat.mjs')
  expect(said.mock.calls.join()).toContain('answer: ')
  expect(differences()).toEqual([])
})
`

describe('the packages as npm installs them', () => {
  it('record beside an older @opentelemetry/api that was loaded first', async () => {
    const first = `require('api-1.9').propagation.setGlobalPropagator({ inject() {}, extract: (it) => it, fields: () => [] })`
    await writeFile(join(home, 'older.cjs'), first)
    const args = ['--require', './older.cjs', '--import', '@svc/register', 'chat.mjs']
    const env = { ...service.env, SVC_RELEASE: 'older API' }
    const { code, stdout, stderr } = await runNode(args, { cwd: home, env })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /), stderr: '' })
    expect(spansOf('older API')).toEqual(['chat gpt-test'])
  })

  it('run an experiment as tests, whose items become traces', async () => {
    for (const name of ['words.eval.mjs', 'vitest.config.mjs']) await cp(join(EVALS, name), join(home, name))
    const env = { ...service.env, SVC_RELEASE: 'evals' }
    const { code, stdout, stderr } = await runNode(['node_modules/vitest/vitest.mjs', 'run'], { cwd: home, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('3 passed')
    expect(spansOf('evals')).toEqual(Array(3).fill('experiment-item-run'))
  })

  it('answer the requests of a test from a trace', async () => {
    const env = { ...service.env, SVC_RELEASE: 'replayed' }
    await runNode(['--import', '@svc/register', 'chat.mjs'], { cwd: home, env })
    const { traceId } = service.local.spans().at(-1) ?? {}
    const svc = join(home, 'node_modules/.bin/svc')
    const exported = await runNode([svc, 'traces', 'export', String(traceId)], { cwd: home, env })
    await writeFile(join(home, 'trace.json'), exported.stdout)
    await writeFile(join(home, 'agent.eval.mjs'), TEST_OF_AGENT)
    await cp(join(EVALS, 'vitest.config.mjs'), join(home, 'vitest.config.mjs'))
    const before = service.models.requests().length
    const args = ['node_modules/vitest/vitest.mjs', 'run', 'agent']
    const { stdout, stderr } = await runNode(args, {
      cwd: home,
      env: { ...service.env, OPENAI_BASE_URL: 'http://models.invalid/v1' },
    })
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining('1 passed'), stderr: '' })
    expect(service.models.requests()).toHaveLength(before)
  })

  it.each([
    [['local', '--help'], '--port'],
    [['migrate', 'datasets', '--help'], '--dataset'],
  ])('bring the commands of svc: %j', async (args, flag) => {
    const { stdout } = await run(join(home, 'node_modules/.bin/svc'), args)
    expect(stdout).toContain(flag)
  })

  it('bring the answers of svc traces in a few files', async () => {
    const db = join(home, 'traces.db')
    const local = await startLocal({ db })
    await fill(local, 1)
    await local.close()
    const args = ['--import', LOADED, 'node_modules/@svc/cli/dist/svc.js', 'traces', 'list', '--db', db]
    const { stdout, stderr } = await runNode(args, { cwd: home })
    expect(stdout).toContain('## 1 trace')
    const files = [...stderr.matchAll(/^file:.*\/node_modules\/(\S+)$/gm)].map(([, path]) => path)
    expect(files.filter((path) => !path?.startsWith('@svc/cli/dist/'))).toEqual([])
    expect(files.length).toBeLessThan(12)
  })

  it('say in svc migrate code how it is done now, from the page that they bring', async () => {
    await mkdir(join(home, 'old'))
    await writeFile(join(home, 'old/app.mjs'), "import { SvcClient } from '@svc/client'\nnew SvcClient().fetchTraces()")
    const { code, stdout } = await runNode(['node_modules/@svc/cli/dist/svc.js', 'migrate', 'code', 'old', '--check'], {
      cwd: home,
    })
    expect(code).toBe(1)
    expect(stdout).toContain('Everything is read as observations')
  })

  it('trace an application without them from a folder beside it, as examples/kubernetes says', async () => {
    const pod = await mkdtemp(join(tmpdir(), 'pod-'))
    const yaml = await readFile(
      fileURLToPath(new URL('../../examples/kubernetes/deployment.yaml', import.meta.url)),
      'utf8',
    )
    const [container] = parse(yaml).spec.template.spec.containers as [Container]
    const [{ mountPath: volume }] = container.volumeMounts as [{ mountPath: string }]
    const options = container.env.find(({ name }) => name === 'NODE_OPTIONS')?.value ?? ''
    expect(options).toContain(`file://${volume}/`)

    // What `npm i @svc/register` brings, and an application with its own libraries.
    const copy = (name: string, to: string) => cp(join(home, name), join(pod, to, name), { recursive: true })
    await copy('node_modules/@svc/register', volume)
    await mkdir(join(pod, 'app'))
    for (const name of ['chat.mjs', 'chat.cjs', 'node_modules/openai']) await copy(name, 'app')

    const NODE_OPTIONS = options.replace('file://', pathToFileURL(pod).href)
    for (const name of ['chat.mjs', 'chat.cjs']) {
      const { code, stdout, stderr } = await runNode([name], {
        cwd: join(pod, 'app'),
        env: { ...service.env, NODE_OPTIONS, SVC_RELEASE: 'beside' },
      })
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /), stderr: '' })
    }
    expect(spansOf('beside')).toEqual(Array(2).fill('chat gpt-test'))
  })
})
