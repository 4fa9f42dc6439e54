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

describe("Vite's development server under the preload", () => {
  it('keeps one pipeline, however often the application is edited', async () => {
    const app = join(home, 'dev-app.js')
    const before = service.local.spans().length
    const flags = ['--import', REGISTER, 'node_modules/vite/bin/vite.js', 'dev', '--config', 'dev.mjs']
    const server = startNode(flags, { cwd: home, env: service.env, asBuilt: true })
    const [url = ''] = await server.printed(/http:.*/)
    const answers: string[] = []
    for (const edited of ['first', 'second', 'third']) {
      await writeFile(app, (await readFile(app, 'utf8')).replace(/return '\w+'/, `return '${edited}'`))
      answers.push(await (await fetch(`${url}/chat`)).text())
    }
    server.kill('SIGTERM')
    expect((await server.ended).stderr).toBe('')

    expect(answers).toEqual(['first', 'second', 'third'])
    const spans = service.local.spans().slice(before)
    const above = (id: string | null) => spans.find(({ spanId }) => spanId === id)?.name
    expect(spans.map(({ name, parentSpanId }) => [name, above(parentSpanId)]).sort()).toEqual([
      ...answers.map(() => ['answer', undefined]),
      ...answers.map(() => ['chat gpt-test', 'answer']),
    ])
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(answers.length)
  })
})
