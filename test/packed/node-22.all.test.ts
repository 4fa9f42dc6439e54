import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareVersions } from '../../packages/instrumentation/src/hook/target.ts'
import { ENCODERS, post, record } from '../../packages/local/test/support/sdk.ts'
import { nodeOf } from '../support/nodes.ts'
import { runNode, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { nextOf, startNext } from './next-app.ts'
import { installPacked, manifestIn, NPM_TIMEOUT } from './pack.ts'

const apps = fileURLToPath(new URL('../preload/apps', import.meta.url))
const project = fileURLToPath(new URL('next', import.meta.url))

let service: Service
let home: string
beforeAll(async () => {
  service = await startService()
  const manifest = await manifestIn(project)
  home = await installPacked({ ...manifest, dependencies: { ...manifest.dependencies, openai: '7.55.0' } })
  await cp(project, home, { recursive: true, filter: (source) => !source.endsWith('package.json') })
  for (const name of ['chat.mjs', 'chat.cjs']) await cp(join(apps, name), join(home, name))
}, NPM_TIMEOUT)
afterAll(() => service.close())

/** Before 22.12 Node may not require ES modules, before 22.15 it cannot hook them. */
describe.each(['22.0.0', '22.11.0', '22.14.0'])('Node %s', (version) => {
  let node: string
  beforeAll(() => {
    node = nodeOf(version)
  })

  it.each([
    ['--import', 'chat.cjs'],
    ['--require', 'chat.cjs'],
    // Recorded from the request itself.
    ['--import', 'chat.mjs'],
  ])('with %s @svc/register records a call of %s, with one warning', async (flag, name) => {
    const release = `${version} ${flag} ${name}`
    const env = { ...service.env, SVC_RELEASE: release }
    const { code, stdout, stderr } = await runNode([flag, '@svc/register', name], { node, cwd: home, env })
    expect({ code, stdout, lines: stderr.trim().split('\n') }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^answer: /),
      lines: [
        expect.stringMatching(/can instrument libraries that are loaded as CommonJS .* Update to Node 22\.15 or later/),
      ],
    })
    const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === release)
    expect(spans.map((span) => span.name)).toEqual(['chat gpt-test'])
  })

  it.each(['@svc/otel', '@svc/client'])('requires and imports %s', async (name) => {
    const required = await runNode(['-p', `Object.keys(require('${name}')).length > 0`], { node, cwd: home })
    const imported = await runNode(['-e', `import('${name}').then((it) => console.log(Object.keys(it).length > 0))`], {
      node,
      cwd: home,
    })
    expect([required.stdout, imported.stdout]).toEqual(['true\n', 'true\n'])
  })

  it('delivers a score created right before process.exit()', async () => {
    const name = `at the end of ${version}`
    const score = JSON.stringify({ traceId: '0af7651916cd43dd8448eb211c80319c', name, value: 1 })
    const code = `import { SvcClient } from '@svc/client'; new SvcClient().score.create(${score}); process.exit(7)`
    const ended = await runNode(['--input-type=module', '-e', code], { node, cwd: home, env: service.env })
    expect(ended).toMatchObject({ code: 7, stderr: '' })
    expect(service.local.scores().filter((each) => each.name === name)).toHaveLength(1)
  })

  it('runs svc', async () => {
    const svc = join(home, 'node_modules/@svc/cli/dist/svc.js')
    const { code, stdout, stderr } = await runNode([svc, 'doctor', '--offline', '--json'], { node, cwd: home })
    // Variables that are not set.
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const found = JSON.parse(stdout).findings.find(({ id }: { id: string }) => id === 'node-version')
    expect(found.seen).toBe(`Node ${version}, which is older than 22.15.0`)
  })
})

describe('npm install on Node 22.0', () => {
  it('warns about no engine', async () => {
    const lock = JSON.parse(await readFile(join(home, 'package-lock.json'), 'utf8'))
    const entries = Object.entries<Locked>(lock.packages)
    expect(entries.filter(([path]) => path.startsWith('node_modules/@svc/'))).toHaveLength(12)
    const tooNew = entries.filter(([, { engines, optional }]) => !optional && !isFor('22.0.0', engines?.node ?? '>=0'))
    expect(tooNew.map(([path]) => path)).toEqual([])
  })
})

describe('@svc/next', () => {
  it(
    'builds on Node 22.0.0',
    async () => {
      const env = { ...service.env, NEXT_TELEMETRY_DISABLED: '1' }
      const built = await runNode([nextOf(home), 'build'], { node: nodeOf('22.0.0'), cwd: home, env })
      expect({ code: built.code, output: built.code === 0 ? '' : built.stdout + built.stderr }).toEqual({
        code: 0,
        output: '',
      })
      expect(built.stdout + built.stderr).not.toContain('[Svc SDK]')
    },
    NPM_TIMEOUT,
  )

  it.each(['22.0.0', '22.11.0'])(
    'observes a route on Node %s, and reports in one line what is not recorded',
    async (version) => {
      await using app = await startNext(home, service.env, nodeOf(version))
      const headers = { cookie: `user=ada-${version}` }
      const init = { method: 'POST', headers, body: JSON.stringify({ question: 'Who was Ada?' }) }
      expect((await fetch(`${app.url}/api/ask`, init)).status).toBe(200)
      const { stdout, stderr } = await app.stop()
      // Next loads the AI SDK as an ES module, which Node shows from 22.15 on.
      expect((stdout + stderr).match(/\[Svc SDK\].*/g)).toEqual([
        expect.stringMatching(/can instrument libraries that are loaded as CommonJS .* Update to Node 22\.15 or later/),
      ])
      const all = service.local.observations(({ userId }) => userId === `ada-${version}`)
      expect(all.map(({ name, parentId }) => [parentId, name])).toEqual([
        [null, 'ask'],
        [expect.any(String), 'chat gpt-test'],
      ])
    },
    NPM_TIMEOUT,
  )
})

describe('the local service', () => {
  const local = () => join(home, 'node_modules/@svc/local/bin/svc-local.js')

  it.each(['22.0.0', '22.11.0'])('reports in one line on Node %s which Node version has SQLite', async (version) => {
    const { code, stdout, stderr } = await runNode([local(), '--port', '0'], { node: nodeOf(version), cwd: home })
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `svc-local: cannot use a temporary database: it needs the SQLite of Node 22.13 or later, and this is Node ${version}; your application may stay on it.\n`,
    })
  })

  // FTS5 is part of it from 22.16 on.
  it.each(['22.14.0', '22.15.0', '24.21.0'])('runs on Node %s, and searches text', async (version) => {
    const running = startNode([local(), '--port', '0', '--no-token'], { node: nodeOf(version), cwd: home })
    const [, url = ''] = await running.printed(/SVC_BASE_URL=(\S+)/)
    const keys = { url, publicKey: 'pk-svc-local', secretKey: 'sk-svc-local' }
    const generation = (name: string, input: string) =>
      record((start) => start(name, { 'svc.observation.input': input }).end())
    await post(keys, ENCODERS[0].encode(generation('first', 'Who was Ada Lovelace?')))
    await post(keys, ENCODERS[0].encode(generation('second', 'Who was Grace Hopper?')))
    const found = async (): Promise<{ readonly data: readonly unknown[]; readonly total: number }> =>
      JSON.parse(await (await fetch(`${url}/viewer/traces?search=lovelace+wh`)).text())
    let list = await found()
    // The words are collected behind the intake.
    while (list.total === 0) list = await found()
    expect(list.data).toMatchObject([{ name: 'first' }])
    running.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
  })
})

interface Locked {
  readonly engines?: { readonly node?: string }
  readonly optional?: boolean
}

/** Whether a range that names oldest versions has this one. */
function isFor(version: string, range: string): boolean {
  return range.split('||').some((part) => {
    const [, sign, oldest = ''] = /^\s*(\^|>=|>)?\s*v?([\d.]+)/.exec(part) ?? []
    const whole = [...oldest.split('.'), '0', '0'].slice(0, 3).join('.')
    return compareVersions(version, whole) >= 0 && (sign !== '^' || whole.split('.')[0] === version.split('.')[0])
  })
}
