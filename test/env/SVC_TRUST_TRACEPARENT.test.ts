import { afterAll, beforeAll, expect, it } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const CALLER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }

/** What a server under the preload sends of two requests with a `traceparent`, one of them sampled. */
async function spansWith(value: string | undefined, env = {}) {
  const before = service.local.spans().length
  const server = startNode([...PRELOAD, app('server.mjs')], {
    cwd,
    env: { ...service.env, ...(value === undefined ? {} : { SVC_TRUST_TRACEPARENT: value }), ...env },
  })
  const [, port] = await server.printed(/listening on (\d+)/)
  for (const flags of ['01', '00']) {
    const headers = { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-${flags}` }
    const response = await fetch(`http://127.0.0.1:${port}/${flags}`, { method: 'POST', body: 'x', headers })
    await response.text()
  }
  server.kill('SIGTERM')
  await server.ended
  return service.local.spans().slice(before)
}

it.each([undefined, 'true'])('SVC_TRUST_TRACEPARENT=%s continues the trace of a sampled request', async (value) => {
  const spans = await spansWith(value)
  expect(spans.map(({ traceId }) => traceId)).toEqual([CALLER.traceId, CALLER.traceId, CALLER.traceId])
  expect(spans.map(({ parentSpanId }) => parentSpanId)).toContain(CALLER.spanId)
  expect(spans.flatMap(({ links }) => links)).toEqual([])
  expect(JSON.stringify(spans)).not.toContain('first /00')
})

it.each([
  ['a request', {}],
  ['a request that is no root observation', { SVC_HTTP_ROOT: 'false' }],
  ['a request of an HTTP instrumentation', { SVC_INSTRUMENTATIONS: 'openai,http' }],
])('SVC_TRUST_TRACEPARENT=false makes %s a new trace with a link to the remote one', async (_, env) => {
  const all = await spansWith('false', env)
  for (const path of ['/01', '/00']) {
    const { traceId } = all.find((span) => JSON.stringify(span.attributes).includes(`first ${path}`)) ?? {}
    expect(traceId).not.toBe(CALLER.traceId)
    const spans = all.filter((span) => span.traceId === traceId)
    expect(spans.length).toBeGreaterThanOrEqual(2)
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === null)
    expect(roots.length).toBeGreaterThan(0)
    for (const { links } of roots) expect(links).toEqual([expect.objectContaining(CALLER)])
    for (const { parentSpanId, links } of spans) if (parentSpanId !== null) expect(links).toEqual([])
  }
  expect(new Set(all.map(({ traceId }) => traceId)).size).toBe(2)
})
