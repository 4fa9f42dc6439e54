import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runNode } from '../../support/run.ts'
import { type Service, startService } from '../../support/service.ts'

// It loads many libraries, and only its end is waited for.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const cwd = fileURLToPath(new URL('.', import.meta.url))
const PRELOAD = ['--import', '@svc/register']

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

async function run(flags: readonly string[], release: string, ...words: string[]) {
  const { env, models } = service
  const earlier = models.requests().length
  const args = [...flags, 'theirs.mjs', models.url, ...words]
  const { code, stdout, stderr } = await runNode(args, { cwd, env: { ...env, SVC_RELEASE: release } })
  const traced = models
    .requests()
    .slice(earlier)
    .map(({ path, headers }) => `${path} ${'traceparent' in headers}`)
  return { code, stderr, traced, lines: stdout.trim().split('\n') }
}

/** Times and ids differ with each run. */
const VOLATILE = /ms|avg|timestamp|duration|time|\.id$|release|identification/i

const WRITTEN = ',["of.the.application",true]'

/** The scope of what the application has the AI SDK 7 record: spans like all others of its provider. */
const AI_7 = 'gen_ai'

/** What the service has, without the order in which calls end that nobody ends. */
function received(release: string, except?: string): string[] {
  const spans = service.local
    .spans()
    .filter(({ attributes, scope }) => attributes['svc.release'] === release && scope.name !== except)
  const nameOf = (id?: string | null) => spans.find(({ spanId }) => spanId === id)?.name
  return spans
    .map(({ name, attributes, parentSpanId, status, events }) => {
      const steady = Object.entries(attributes).filter(([key]) => !VOLATILE.test(key))
      return JSON.stringify([name, nameOf(parentSpanId), status.code, events.length, steady.sort()])
    })
    .sort()
}

it('a provider of the application has what libraries record of themselves as without us, and svc has each call once, as without that provider', async () => {
  const bare = await run([], 'bare')
  expect(bare.code).toBe(0)
  const ours = await run(PRELOAD, 'beside a provider')
  for (const [at, line] of ours.lines.entries()) expect(JSON.parse(line)).toEqual(JSON.parse(bare.lines[at] ?? ''))
  // A vendor is told of a trace only where the application has asked for it.
  const traced = bare.traced.map((line, at) => (at < 3 ? '/v1/messages false' : line))
  expect(ours).toEqual({ ...bare, traced })
  await run(PRELOAD, 'alone', 'none')
  // Without another provider, the spans that a client was asked for replace ours.
  const alone = (except?: string) =>
    received('alone', except).filter((text) => !text.startsWith('["anthropic.messages.create"'))
  await run(PRELOAD, 'beside one that drops', 'dropping')
  for (const release of ['beside a provider', 'beside one that drops']) {
    const beside = received(release)
    expect(beside.filter((text) => text.startsWith('["chat claude-test"'))).toHaveLength(5)
    // What its provider drops, and what is written there, is nowhere.
    const isDropping = release === 'beside one that drops'
    const kept = isDropping ? alone(AI_7).map((text) => text.replace(WRITTEN, '')) : alone()
    expect([...new Set(beside)]).toEqual([...new Set(kept)])
    expect(beside).toHaveLength(kept.length + 1)
  }
})
