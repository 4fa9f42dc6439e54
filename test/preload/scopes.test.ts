import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const HTTP = '@opentelemetry/instrumentation-http'

interface Node {
  readonly name: string
  readonly children: readonly Node[]
}

/** Sends one request to `program` and returns what was exported, as trees, and the output of the program. */
async function treesOf(program: string, env: Record<string, string>): Promise<{ trees: Node[]; printed: string }> {
  const release = `${program} ${JSON.stringify(env)}`
  const server = startNode([...PRELOAD, app(program)], {
    cwd,
    env: { ...service.env, ...env, SVC_RELEASE: release },
  })
  const [, port] = await server.printed(/listening on (\d+)/)
  await fetch(`http://127.0.0.1:${port}/chat`, { method: program === 'server.mjs' ? 'POST' : 'GET' }).then((r) =>
    r.text(),
  )
  server.kill('SIGTERM')
  const { stdout, stderr } = await server.ended
  const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === release)
  const ids = new Set(spans.map((span) => span.spanId))
  for (const { parentSpanId, name } of spans) {
    if (parentSpanId !== null && !ids.has(parentSpanId)) throw new Error(`the parent of ${name} is missing`)
  }
  const below = (parent: string | null): Node[] =>
    spans
      .filter((span) => span.parentSpanId === parent)
      .map((span) => ({ name: span.name, children: below(span.spanId) }))
  return { trees: below(null), printed: stdout + stderr }
}

describe('HTTP, Express and a nested tracer around a model call', () => {
  it('leave only the model call below the request, and are named at debug level with the setting that keeps each', async () => {
    // GET /chat
    // └─ chat gpt-test
    const { trees, printed } = await treesOf('nested.cjs', { SVC_LOG_LEVEL: 'DEBUG' })
    expect(trees).toEqual([{ name: 'GET /chat', children: [{ name: 'chat gpt-test', children: [] }] }])
    for (const scope of ['my-tracer', HTTP, '@opentelemetry/instrumentation-express']) {
      expect(printed.match(new RegExp(`SVC_OTEL_ALLOWED_SCOPES=${scope}\\b`, 'g')), scope).toHaveLength(1)
    }
  })

  it('include the nested tracer if its scope is allowed', async () => {
    // GET /chat
    // └─ answer
    //    └─ chat gpt-test
    const { trees } = await treesOf('nested.cjs', { SVC_OTEL_ALLOWED_SCOPES: 'my-tracer' })
    const answer = { name: 'answer', children: [{ name: 'chat gpt-test', children: [] }] }
    expect(trees).toEqual([{ name: 'GET /chat', children: [answer] }])
  })

  it('show every level if every scope is allowed, and close the gap of a dropped one', async () => {
    // GET /chat
    // └─ chat gpt-test
    const { trees } = await treesOf('nested.cjs', { SVC_OTEL_ALLOWED_SCOPES: HTTP })
    expect(trees).toEqual([{ name: 'GET /chat', children: [{ name: 'chat gpt-test', children: [] }] }])
  })
})

describe('an infrastructure scope that is allowed', () => {
  it('is enabled from the catalogue, also for import', async () => {
    // POST
    // ├─ chat gpt-test
    // └─ chat gpt-test
    const { trees, printed } = await treesOf('server.mjs', { SVC_OTEL_ALLOWED_SCOPES: HTTP })
    expect(printed).not.toMatch(/warn/i)
    const chat = { name: 'chat gpt-test', children: [] }
    expect(trees).toEqual([{ name: 'POST', children: expect.arrayContaining([chat, chat]) }])
  })
})

describe('SVC_HTTP_ROOT beside the HTTP instrumentation of the catalogue', () => {
  it('creates the root if that is muted, and reports that it does not if that is kept', async () => {
    const chat = { name: 'chat gpt-test', children: [] }
    const muted = await treesOf('server.mjs', { SVC_HTTP_ROOT: 'true', SVC_INSTRUMENTATIONS: 'openai,http' })
    expect(muted.trees).toEqual([{ name: 'POST /chat', children: [chat, chat] }])
    expect(muted.printed).not.toContain('SVC_HTTP_ROOT')
    const kept = await treesOf('server.mjs', { SVC_HTTP_ROOT: 'true', SVC_OTEL_ALLOWED_SCOPES: HTTP })
    expect(kept.trees).toEqual([{ name: 'POST', children: [chat, chat] }])
    expect(kept.printed).toContain('SVC_HTTP_ROOT has no effect')
  })
})
