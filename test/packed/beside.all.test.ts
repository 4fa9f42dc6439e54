import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installPacked, NPM_TIMEOUT, npmInstall, run } from './pack.ts'

const apps = fileURLToPath(new URL('beside', import.meta.url))
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** An application with these packages and ours, as npm puts them together, or refuses to. */
async function applicationWith(dependencies: Record<string, string>, only: string[]): Promise<string> {
  const home = await installPacked({ dependencies: { '@types/node': '22.19.1', ...dependencies } }, { only })
  await cp(apps, home, { recursive: true })
  return home
}

/** The versions of each OpenTelemetry package in the tree; in one tree there is one of each. */
async function copiesIn(home: string): Promise<Record<string, string[]>> {
  const { packages } = JSON.parse(await readFile(join(home, 'package-lock.json'), 'utf8'))
  const copies: Record<string, string[]> = {}
  for (const [path, { name = path, version }] of Object.entries<{ name?: string; version: string }>(packages)) {
    const at = name.lastIndexOf('@opentelemetry/')
    if (at >= 0) copies[name.slice(at)] = [...(copies[name.slice(at)] ?? []), version]
  }
  return copies
}

/** The traces that arrived, each span behind as many dashes as it has ancestors. */
function treesOf(release: string): string[] {
  const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === release)
  const depth = (id: string | null | undefined): number => {
    const parent = spans.find(({ spanId }) => spanId === id)
    return parent ? 1 + depth(parent.parentSpanId) : 0
  }
  return spans.map((span) => '-'.repeat(depth(span.parentSpanId)) + span.name).sort()
}

const SDKS: readonly [what: string, dependencies: Record<string, string>][] = [
  ['SDK 3', { sdk: 'npm:@opentelemetry/sdk-trace@^3.0.0', '@opentelemetry/api': '~1.10.0' }],
  ['SDK 2', { sdk: 'npm:@opentelemetry/sdk-trace-base@^2.12.0', '@opentelemetry/api': '~1.9.1' }],
  ['SDK 2.0', { sdk: 'npm:@opentelemetry/sdk-trace-base@2.0.0', '@opentelemetry/api': '1.9.0' }],
  ['SDK 1', { sdk: 'npm:@opentelemetry/sdk-trace-base@1.30.1', '@opentelemetry/api': '1.9.0' }],
]

describe.each(SDKS)('@svc/otel beside %s', (release, dependencies) => {
  let home: string
  beforeAll(async () => {
    home = await applicationWith(dependencies, ['@svc/otel'])
  }, NPM_TIMEOUT)

  it('installs no second copy of an OpenTelemetry package', async () => {
    const copies = await copiesIn(home)
    expect(copies['@opentelemetry/api']).toHaveLength(1)
    expect(Object.entries(copies).filter(([, versions]) => versions.length > 1)).toEqual([])
  })

  it('delivers spans, also to a custom exporter', async () => {
    const env = { ...service.env, SVC_RELEASE: release }
    const { code, stdout, stderr } = await runNode(['provider.mjs'], { cwd: home, env })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'exported\n', stderr: '' })
    expect(treesOf(release)).toEqual(['-inner', 'outer'])
  })

  // Of SDK 1 it reads the spans; its types differ.
  it('compiles with its types since 2.0', async () => {
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2023,dom', '--types', 'node']
    const compiled = run(process.execPath, [TSC, ...flags, 'typed.mts'], { cwd: home })
    const errors = await compiled.then(
      () => '',
      ({ stdout }) => String(stdout),
    )
    expect(errors === '' || release === 'SDK 1', errors).toBe(true)
  })
})

describe('@svc/otel beside @vercel/otel 2', () => {
  it(
    'delivers spans of registerOTel, once also under the preload',
    async () => {
      const home = await applicationWith({ '@vercel/otel': '^2.0.0' }, ['@svc/otel', '@svc/register'])
      for (const [release, flags] of Object.entries({ vercel: [], preloaded: ['--import', '@svc/register'] })) {
        const env = { ...service.env, SVC_RELEASE: release }
        const { code, stdout, stderr } = await runNode([...flags, 'vercel.mjs'], { cwd: home, env })
        expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
        expect(treesOf(release)).toEqual(['-inner', 'outer'])
      }
    },
    NPM_TIMEOUT,
  )
})

describe.each(SDKS)("the preload beside a provider of the application's, of %s", (what, dependencies) => {
  it(
    'leaves it what it has without us, and records its spans about models in one trace with ours',
    async () => {
      const home = await applicationWith(dependencies, ['@svc/register', '@svc/tracing'])
      const env = { ...service.env, SVC_RELEASE: `own ${what}` }
      const bare = await runNode(['own-provider.mjs'], { cwd: home, env })
      const { code, stdout, stderr } = await runNode(['--import', '@svc/register', 'own-provider.mjs'], {
        cwd: home,
        env,
      })
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: bare.stdout, stderr: '' })
      expect(bare.stdout).toBe('true\ninner []\nouter ["gen_ai.operation.name"]\n')
      expect(treesOf(`own ${what}`)).toEqual(['outer'])
    },
    NPM_TIMEOUT,
  )
})

describe.each([
  ['1.9.0', '1.9.0'],
  ['1.10', '~1.10.0'],
])('the preload in an application with @opentelemetry/api %s', (release, version) => {
  it(
    'records spans of the application',
    async () => {
      const home = await applicationWith({ '@opentelemetry/api': version }, ['@svc/register', '@svc/tracing'])
      const env = { ...service.env, SVC_RELEASE: release }
      const { code, stderr } = await runNode(['--import', '@svc/register', 'preload.mjs'], { cwd: home, env })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(treesOf(release)).toEqual(['--within', '-inner', 'outer'])
    },
    NPM_TIMEOUT,
  )
})

describe.each<[what: string, dependencies: Record<string, string>]>([
  ['2', { '@opentelemetry/sdk-node': '0.223.0', '@opentelemetry/auto-instrumentations-node': '0.81.2' }],
  ['3', { '@opentelemetry/sdk-node': '0.301.0', '@opentelemetry/auto-instrumentations-node': '0.82.0' }],
])("the preload with a second destination of OpenTelemetry %s, the application's own", (what, dependencies) => {
  it(
    'delivers to both, with the spans of its instrumentations',
    async () => {
      const home = await applicationWith(dependencies, ['@svc/register', '@svc/tracing'])
      // It calls itself.
      const trust = { SVC_TRUST_TRACEPARENT: 'loopback', SVC_TRUST_BAGGAGE: 'loopback' }
      const env = { ...service.env, ...trust, SVC_RELEASE: `second ${what}`, OTEL_TRACES_EXPORTER: 'console' }
      const { code, stdout, stderr } = await runNode(['--import', '@svc/register', 'preload.mjs', 'request'], {
        cwd: home,
        env,
      })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      for (const name of ['outer', 'inner', 'within', 'GET']) expect(stdout).toContain(`name: '${name}'`)
      expect(treesOf(`second ${what}`)).toEqual(['--within', '-inner', 'outer'])
    },
    NPM_TIMEOUT,
  )
})

describe('npm installs each package', () => {
  it.each(['browser', 'cli', 'client', 'instrumentation', 'langchain', 'local', 'nestjs', 'next', 'otel', 'register'])(
    '@svc/%s with one copy of each OpenTelemetry package, and nothing that runs at an install',
    async (name) => {
      const home = await installPacked({}, { only: [`@svc/${name}`], args: ['--package-lock-only'] })
      const copies = await copiesIn(home)
      expect(Object.entries(copies).filter(([, versions]) => versions.length > 1)).toEqual([])
      const { packages } = JSON.parse(await readFile(join(home, 'package-lock.json'), 'utf8'))
      const entries = Object.entries<{ hasInstallScript?: true; peer?: true }>(packages)
      // What frameworks bring is theirs.
      const scripts = entries.filter(([, { hasInstallScript, peer }]) => hasInstallScript && !peer)
      expect(scripts.map(([path]) => path)).toEqual([])
    },
  )
})

describe('npm adds our packages to an application', () => {
  it.each<[what: string, dependencies: Record<string, string>]>([
    ['the SDK of OpenTelemetry 2', { '@opentelemetry/api': '~1.9.1', '@opentelemetry/sdk-trace-node': '^2.0.0' }],
    ['@vercel/otel', { '@opentelemetry/api': '~1.9.1', '@vercel/otel': '^2.0.0' }],
    ['sdk-node of OpenTelemetry 2', { '@opentelemetry/api': '~1.9.1', '@opentelemetry/sdk-node': '0.223.0' }],
    ['sdk-node of OpenTelemetry 1', { '@opentelemetry/api': '1.9.0', '@opentelemetry/sdk-node': '0.57.2' }],
    ['Vitest 1', { vitest: '^1.0.0' }],
  ])(
    'with %s',
    async (_, dependencies) => {
      const home = await mkdtemp(join(tmpdir(), 'svc-packed-'))
      await writeFile(join(home, 'package.json'), JSON.stringify({ private: true, dependencies }))
      await npmInstall(home, ['--package-lock-only'])
      for (const name of ['register', 'client', 'otel', 'tracing'])
        await npmInstall(home, ['--package-lock-only', `@svc/${name}`])
    },
    NPM_TIMEOUT,
  )
})
