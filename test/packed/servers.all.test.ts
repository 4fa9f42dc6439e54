import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installPacked, NPM_TIMEOUT, run } from './pack.ts'

const REGISTER = '@svc/register'
const TRACING = '@svc/tracing'
const API = '@opentelemetry/api'

interface Bundle {
  readonly bundler: string
  readonly format: 'esm' | 'cjs'
  /** What is not in the bundle. */
  readonly external?: readonly string[]
  /** Flags of Node. */
  readonly flags?: readonly string[]
}

const BUNDLES: readonly Bundle[] = [
  { bundler: 'esbuild', format: 'esm' },
  { bundler: 'esbuild', format: 'cjs' },
  { bundler: 'esbuild', format: 'esm', external: [API, 'openai'] },
  { bundler: 'esbuild', format: 'esm', external: [REGISTER] },
  { bundler: 'esbuild', format: 'cjs', external: [TRACING, API] },
  { bundler: 'esbuild', format: 'esm', flags: ['--import', REGISTER] },
  { bundler: 'tsup', format: 'esm' },
  { bundler: 'vite', format: 'esm' },
  { bundler: 'rollup', format: 'esm' },
  { bundler: 'webpack', format: 'cjs' },
  { bundler: 'webpack', format: 'cjs', external: [REGISTER, TRACING, API, 'openai'] },
  { bundler: 'rspack', format: 'cjs' },
]

let service: Service
let home: string
beforeAll(async () => {
  service = await startService()
  const dependencies = {
    openai: '7.55.0',
    [API]: '1.10.0',
    esbuild: '0.28.2',
    tsup: '9.0.0',
    // Of tsup.
    typescript: '6.0.3',
    vite: '8.3.8',
    rollup: '4.68.8',
    '@rollup/plugin-commonjs': '29.0.3',
    '@rollup/plugin-node-resolve': '16.0.3',
    webpack: '5.113.0',
    '@rspack/core': '2.3.3',
  }
  const manifest = { type: 'module', dependencies }
  home = await installPacked(manifest, { only: [REGISTER, TRACING], args: ['--legacy-peer-deps'] })
  await cp(fileURLToPath(new URL('servers', import.meta.url)), home, { recursive: true })
}, NPM_TIMEOUT)
afterAll(() => service.close())

describe('a server whose first line starts svc', () => {
  it.each(BUNDLES)('has roots, users and an end in a bundle: %o', async (bundle) => {
    const { bundler, format, external = [], flags = [] } = bundle
    const file = `server${BUNDLES.indexOf(bundle)}.${format === 'esm' ? 'mjs' : 'cjs'}`
    await run(process.execPath, ['build.mjs', bundler, format, file, ...external], { cwd: home })
    const start = (...args: string[]) =>
      startNode([...flags, file, ...args], { cwd: home, env: service.env, asBuilt: true })
    const before = service.local.spans().length

    const server = start()
    const [url = ''] = await server.printed(/http:.*/)
    const ask = async (user: string) => (await fetch(`${url}/ask`, { headers: { user } })).text()
    await Promise.all(['ann', 'bob'].map(ask))
    server.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ signal: 'SIGTERM', code: null, stderr: '' })
    expect(await start('exit').ended).toMatchObject({ signal: null, code: 3, stderr: '' })

    const spans = service.local.spans().slice(before)
    const drawn = spans.map(({ name, attributes, parentSpanId }) => {
      const above = spans.find(({ spanId }) => spanId === parentSpanId)
      return [above?.name, above?.attributes['user.id'], name, attributes['user.id']]
    })
    expect(drawn.sort()).toEqual(
      [
        ...['ann', 'bob'].flatMap((user) => [
          [undefined, undefined, 'GET /ask', user],
          ['GET /ask', user, 'chat gpt-test', user],
        ]),
        [undefined, undefined, 'held', undefined],
      ].sort(),
    )
  })
})

describe("Vite's development server", () => {
  const EDITS = Array.from({ length: 10 }, (_, at) => `edit ${at}`)

  it.each([
    ['under the preload', ['--import', REGISTER], ''],
    ['of an application that starts svc', [], `import '${REGISTER}'\n`],
  ])('%s keeps one pipeline, and no version of the application but the last', async (_, preload, first) => {
    const app = join(home, 'dev-app.js')
    const text = first + (await readFile(fileURLToPath(new URL('servers/dev-app.js', import.meta.url)), 'utf8'))
    await writeFile(app, text)
    const [spans, requests] = [service.local.spans().length, service.local.requests().length]
    // What a pipeline has leaves at the end of the process, in one request.
    const env = { ...service.env, SVC_FLUSH_INTERVAL: '600' }
    const flags = ['--expose-gc', ...preload, 'node_modules/vite/bin/vite.js', 'dev', '--config', 'dev.mjs']
    const server = startNode(flags, { cwd: home, env, asBuilt: true })
    const [url = ''] = await server.printed(/http:.*/)
    const ask = async (path: string) => (await fetch(`${url}/${path}`)).text()
    for (const edit of EDITS) {
      await writeFile(app, text.replace("'first'", `'${edit}'`))
      await expect.poll(() => ask('version')).toBe(edit)
      expect(await ask('chat')).toBe(edit)
    }
    expect(await ask('left')).toBe('2')
    expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' })

    const arrived = service.local.spans().slice(spans)
    const above = (id: string | null) => arrived.find(({ spanId }) => spanId === id)?.name
    expect(arrived.map(({ name, parentSpanId }) => [name, above(parentSpanId)]).sort()).toEqual([
      ...EDITS.map(() => ['answer', undefined]),
      ...EDITS.map(() => ['chat gpt-test', 'answer']),
    ])
    expect(new Set(arrived.map(({ traceId }) => traceId)).size).toBe(EDITS.length)
    expect(service.local.requests().slice(requests)).toHaveLength(1)
  })
})
