import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkOnce, type Seen, seen } from './once.ts'

// It loads many libraries, and only its end is waited for.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const SVC = '@svc/register'
const OTEL = './otel.mjs'
it.each([
  ['layers', 'require'],
  ['ai', 'import'],
] as const)('exactly one of several layers of a call records it: %s, loaded by %s', async (list, kind) => {
  const [ours, bare] = await Promise.all([seen(list, kind, [SVC]), seen(list, kind, [])])
  await checkOnce(list, ours, bare)
})

describe('third-party instrumentations that an application registers record nothing twice', () => {
  let bare: Promise<Seen>
  beforeAll(() => {
    bare = seen('calls', 'import', [])
  })

  it.each([
    ['openinference', 'import', [SVC, OTEL]],
    ['openinference', 'require', [OTEL, SVC]],
    ['traceloop', 'import', [SVC, OTEL]],
    ['traceloop', 'require', [OTEL, SVC]],
  ] as const)('%s, by %s, after %j', async (vendor, kind, preloads) => {
    const ours = await seen('calls', kind, preloads, { X_VENDOR: vendor })
    // Traceloop's makes LangChain forget which run a run belongs to. Where it wraps last, it tells servers of MCP the span of
    // its session and not that of the call.
    await checkOnce(vendor === 'traceloop' ? `calls-traceloop-${kind}` : 'calls', ours, await bare)
    expect(ours.lines).toContainEqual(expect.stringMatching(/^spans of .*openai are left out, because svc records/))
  })
})

describe('third-party instrumentations of openai record nothing twice', () => {
  let bare: Promise<Seen>
  beforeAll(() => {
    bare = seen('openai', 'import', [])
  })

  it.each([
    ['contrib', 'import', [OTEL, SVC], {}],
    ['contrib', 'require', [SVC, OTEL], {}],
    ['openinference', 'import', [SVC, OTEL], { X_MANUALLY: '1' }],
    ['traceloop', 'import', [SVC, OTEL], { X_MANUALLY: '1' }],
  ] as const)('%s, by %s, after %j %j', async (vendor, kind, preloads, more) => {
    await checkOnce('openai', await seen('openai', kind, preloads, { X_VENDOR: vendor, ...more }), await bare)
  })

  it.each(['import', 'require'] as const)(
    '%s reports to its own provider, and built-in spans stay complete',
    async (kind) => {
      const ours = await seen('openai', kind, [SVC, './own-sdk.mjs'])
      await checkOnce('openai', ours, await bare)
      // With the application's own observations.
      expect(ours.lines).toEqual(['spans of @traceloop/instrumentation-openai,svc-sdk are its own'])
    },
  )

  it('traceloop in a NodeSDK', async () => {
    await checkOnce('openai', await seen('openai', 'import', [SVC, './node-sdk.mjs']), await bare)
  })

  it('unless the built-in one is disabled, and they record', async () => {
    const more = { X_VENDOR: 'contrib', SVC_DISABLED_INSTRUMENTATIONS: 'openai' }
    const { trees, lines } = await seen('openai', 'import', [SVC, OTEL], more)
    expect([trees.match(/GENERATION chat gpt-test .*/)?.[0], lines]).toEqual([
      'GENERATION chat gpt-test (@opentelemetry/instrumentation-openai)',
      [],
    ])
  })

  it('and only SVC_PROPAGATE_TO_VENDORS propagates traces to vendors', async () => {
    const more = { X_VENDOR: 'contrib', SVC_PROPAGATE_TO_VENDORS: 'true' }
    const { traced } = await seen('openai', 'import', [SVC, OTEL], more)
    expect(new Set(traced)).toEqual(new Set(['/v1/chat/completions', '/v1/responses', '/v1/embeddings']))
  })
})

describe('a call that is configured in code', () => {
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
  let home: string
  let env: Readonly<Record<string, string>>
  let bare: Promise<Seen>
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'svc-once-'))
    for (const name of ['@svc/instrumentation', '@svc/core', '@svc/tracing', '@opentelemetry/api']) {
      await cp(join(modules, name), join(home, 'node_modules', name), {
        recursive: true,
        dereference: true,
        filter: (path) => !path.slice(modules.length + name.length + 1).includes('node_modules'),
      })
    }
    env = { X_COPY: pathToFileURL(join(home, 'node_modules/@svc/instrumentation/dist/index.js')).href }
    bare = seen('code', 'import', [], env)
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  it.each([
    ['beside the preload', SVC],
    ['in its place, with a provider of the application', './provider.mjs'],
  ])('is recorded once: %s', async (_, preload) => {
    await checkOnce('code', await seen('code', 'import', [preload], env), await bare)
  })
})

it("has only a library's native spans if they are enabled, in the service's dialect", async () => {
  const ours = await seen('native', 'import', [SVC], { ANTHROPIC_OPEN_TELEMETRY: 'true' })
  await checkOnce('native', ours, await seen('native', 'import', []))
  const [plain, streamed] = ours.spans.filter((attributes) => 'gen_ai.provider.name' in attributes)
  expect(plain).toMatchObject({ 'gen_ai.usage.cache_creation.input_tokens': 3 })
  expect(plain).not.toHaveProperty('gen_ai.usage.cache_write.input_tokens')
  expect(plain).not.toHaveProperty('svc.observation.completion_start_time')
  expect(streamed).toMatchObject({
    'gen_ai.response.time_to_first_chunk': expect.any(Number),
    'svc.observation.completion_start_time': expect.stringMatching(/^"20.*Z"$/),
  })
})
