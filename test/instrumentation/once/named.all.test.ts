import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { runNode } from '../../support/run.ts'
import { seen } from './once.ts'

// It loads many libraries, and only its end is waited for.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const OURS = 'openai,anthropic,bedrock,cohere,langchain,mcp,together,agents'
const VENDORS = {
  openinference: ['openai', 'anthropic', 'bedrock', 'langchain', 'mcp'].map(
    (name) => `@arizeai/openinference-instrumentation-${name}`,
  ),
  traceloop: ['openai', 'anthropic', 'bedrock', 'cohere', 'langchain', 'mcp', 'together'].map(
    (name) => `@traceloop/instrumentation-${name}`,
  ),
}

// By its path, because the application of this test is in a folder of its own.
const PUBLISHED_PRELOAD = new URL('../../../packages/register/published/index.js', import.meta.url).href

const page = (name: string) => fileURLToPath(new URL(`${name}.txt`, import.meta.url))
const named = (...names: readonly string[]) => ({ SVC_INSTRUMENTATIONS: [OURS, ...names].join() })

it.each([
  ['openinference', 'import'],
  ['openinference', 'require'],
  ['traceloop', 'import'],
  ['traceloop', 'require'],
] as const)(
  'the instrumentations of %s, loaded by %s, record alone, for packages and their inner files',
  async (vendor, kind) => {
    const { trees, traced } = await seen('calls', kind, ['@svc/register'], named(...VENDORS[vendor]))
    expect(traced).toEqual([])
    await expect(trees).toMatchFileSnapshot(page(`named-${vendor}`))
  },
)

it('a client below an instrumented framework is recorded once: by the client for agents, by LangChain for LangChain', async () => {
  const { trees } = await seen('frameworks', 'import', ['@svc/register'], named(VENDORS.openinference[0] ?? ''))
  await expect(trees).toMatchFileSnapshot(page('named-below-frameworks'))
})

it('an instrumentation that fails with the installed version is replaced by the built-in one, with one line', async () => {
  const more = named('@traceloop/instrumentation-anthropic', '@traceloop/instrumentation-openai')
  const { trees, lines } = await seen('newest', 'import', ['@svc/register'], more)
  expect(trees.match(/GENERATION.*/g)).toEqual([
    'GENERATION chat claude-test (@svc/instrumentation-anthropic)',
    'GENERATION chat gpt-test (@svc/instrumentation-openai)',
  ])
  expect(lines).toEqual([
    'instrumentation "@traceloop/instrumentation-anthropic" cannot instrument @anthropic-ai/sdk 1.12.0, so ours ' +
      "records its calls: Cannot read properties of undefined (reading 'prototype')",
    'instrumentation "@traceloop/instrumentation-openai" cannot instrument openai 7.57.0, so ours records its calls: ' +
      'it does not know this version',
  ])
})

it('an instrumentation that fails without a built-in one leaves its calls unrecorded, with one line', async () => {
  const more = { SVC_INSTRUMENTATIONS: '@traceloop/instrumentation-openai' }
  const { cases, recorded, lines } = await seen('newest', 'require', ['@svc/register'], {
    ...more,
    ANTHROPIC_OPEN_TELEMETRY: 'false',
  })
  expect([recorded.GENERATION, lines, Object.keys(cases)]).toEqual([
    0,
    [
      'instrumentation "@traceloop/instrumentation-openai" cannot instrument openai 7.57.0, so its calls are not seen: ' +
        'it does not know this version',
    ],
    ['anthropic', 'openai'],
  ])
})

it('an unusable instrumentation is skipped with one line, and the application runs', async () => {
  const packages = {
    broken: 'throw new Error("no such base")',
    empty: 'exports.instrument = () => {}',
    other: 'exports.OtherInstrumentation = class {}',
    idle: 'exports.IdleInstrumentation = class { _modules = []; _onRequire() {} }',
    asking: 'exports.AskingInstrumentation = class { constructor({ key }) { key.length } }',
  }
  const home = await mkdtemp(join(tmpdir(), 'svc-named-'))
  for (const [name, source] of Object.entries(packages)) {
    const folder = join(home, `node_modules/@traceloop/instrumentation-${name}`)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'index.js'), source)
  }
  const names = [...Object.keys(packages), 'missing'].map((name) => `@traceloop/instrumentation-${name}`)
  const env = { SVC_INSTRUMENTATIONS: names.join(), SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', NO_COLOR: '1' }
  const { stdout, stderr, code } = await runNode(['--import', PUBLISHED_PRELOAD, '-e', 'console.log("ran")'], {
    cwd: home,
    env,
  })
  await rm(home, { recursive: true })
  const lines = [
    ...stderr.matchAll(/instrumentation "@traceloop\/instrumentation-(.*)" cannot be loaded and is left out: (.*)/g),
  ]
  expect([stdout, code, lines.map(([, name, reason]) => [name, reason])]).toEqual([
    'ran\n',
    0,
    [
      ['broken', 'no such base'],
      ['empty', 'it exports no instrumentation'],
      ['other', 'it does not extend InstrumentationBase of OpenTelemetry'],
      ['idle', 'it names no package to instrument'],
      ['asking', expect.stringContaining('undefined')],
      ['missing', expect.stringContaining('Cannot find module')],
    ],
  ])
})
