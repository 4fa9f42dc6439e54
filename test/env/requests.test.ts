import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

type Spans = ReturnType<Service['local']['spans']>

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const CALLER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
const IN = 'svc.observation.input'
const OUT = 'svc.observation.output'

/** What a server under these variables sends of two requests of a client with a trace and a user, one of them sampled. */
function useServer(env: Readonly<Record<string, string>>, path = ''): () => Spans {
  let spans: Spans
  beforeAll(async () => {
    const before = service.local.spans().length
    const server = startNode([...PRELOAD, app('server.mjs')], { cwd, env: { ...service.env, ...env } })
    const [, port] = await server.printed(/listening on (\d+)/)
    for (const flags of ['01', '00']) {
      const headers = {
        traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-${flags}`,
        baggage: 'svc_user_id=ada',
      }
      const url = `http://127.0.0.1:${port}/${flags}${path}`
      await fetch(url, { method: 'POST', body: 'x', headers }).then((response) => response.text())
    }
    server.kill('SIGTERM')
    await server.ended
    spans = service.local.spans().slice(before)
  })
  return () => spans
}

const usersOf = (spans: Spans) => [...new Set(spans.map(({ attributes }) => attributes['user.id']))]

/** The roots of each of the two requests, which have no trace in common with the client, but a link to it. */
function expectOwnTraces(spans: Spans): void {
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2)
  for (const { traceId, parentSpanId, links } of spans) {
    expect(traceId).not.toBe(CALLER.traceId)
    expect(links).toEqual(parentSpanId === null ? [expect.objectContaining(CALLER)] : [])
  }
}

describe('of a caller that is trusted', () => {
  const spans = useServer({ SVC_TRUST_TRACEPARENT: 'loopback', SVC_TRUST_BAGGAGE: '192.0.2.0/24,127.0.0.0/8' })
  const root = () => spans().find(({ parentSpanId }) => parentSpanId === CALLER.spanId)

  it('SVC_TRUST_TRACEPARENT continues the trace of a request that is sampled, and leaves out the other', () => {
    expect(spans().map(({ traceId }) => traceId)).toEqual([CALLER.traceId, CALLER.traceId, CALLER.traceId])
    expect(spans().flatMap(({ links }) => links)).toEqual([])
    expect(JSON.stringify(spans())).not.toContain('first /00')
  })

  it('SVC_HTTP_ROOT makes calls of a request children of its root span', () => {
    expect(root()?.name).toMatch(/^POST /)
    expect(spans().filter(({ parentSpanId }) => parentSpanId === root()?.spanId)).toHaveLength(2)
  })

  it('SVC_ROOT_IO sets the first user message and the last response on it', () => {
    expect(root()?.attributes).toMatchObject({ [IN]: 'first /01', [OUT]: expect.stringMatching(/\w/) })
  })

  it('SVC_TRUST_BAGGAGE takes the user', () => {
    expect(usersOf(spans())).toEqual(['ada'])
  })
})

describe('by default', () => {
  const spans = useServer({ SVC_ROOT_IO: 'false' })

  it('SVC_TRUST_TRACEPARENT makes a request a new trace with a link to the remote one', () => {
    expectOwnTraces(spans())
    expect(spans()).toHaveLength(6)
  })

  it('SVC_TRUST_BAGGAGE leaves out the user of a client', () => {
    expect(usersOf(spans())).toEqual([undefined])
  })

  it('SVC_ROOT_IO sets no input and output on the root', () => {
    const roots = spans().filter(({ parentSpanId }) => parentSpanId === null)
    expect(roots.map(({ attributes }) => [attributes[IN], attributes[OUT]])).toEqual(
      Array.from({ length: 2 }, () => [undefined, undefined]),
    )
  })
})

describe('with a request that is no root', () => {
  const spans = useServer({ SVC_TRUST_TRACEPARENT: 'false', SVC_HTTP_ROOT: 'false' })

  it('SVC_HTTP_ROOT=false leaves calls of a request without a common root', () => {
    expect(spans().map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual(
      Array.from({ length: 4 }, () => ['chat gpt-test', null]),
    )
  })

  it('SVC_TRUST_TRACEPARENT=false still makes it a new trace', () => expectOwnTraces(spans()))
})

describe('with a request of an HTTP instrumentation and long content', () => {
  const LONG = 'x'.repeat(10_000)
  const variables = {
    SVC_TRUST_TRACEPARENT: 'false',
    SVC_INSTRUMENTATIONS: 'openai,http',
    SVC_CONTENT_MAX_BYTES: '2000',
  }
  const spans = useServer(variables, LONG)

  it('SVC_TRUST_TRACEPARENT=false makes it a new trace, too', () => expectOwnTraces(spans()))

  it('SVC_ROOT_IO respects the limit of content', () => {
    const root = spans().find(({ parentSpanId }) => parentSpanId === null)
    expect(root?.attributes[IN]).toMatch(/^first \/01x{800,1000}\[truncated by svc: \d+ more characters\]$/)
  })
})
