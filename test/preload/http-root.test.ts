import { SpanStatusCode } from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Program, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

type Spans = ReturnType<Service['local']['spans']>

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** The spans of requests to a program that listens. */
async function spansOf(
  name: string,
  env: Record<string, string>,
  ask: (url: string, program: Program) => Promise<unknown>,
) {
  const before = service.local.spans().length
  const program = startNode([...PRELOAD, app(name)], { cwd, env: { ...service.env, ...env } })
  const [, port] = await program.printed(/listening on (\d+)/)
  await ask(`http://127.0.0.1:${port}`, program)
  program.kill('SIGTERM')
  const { stderr } = await program.ended
  return { stderr, spans: service.local.spans().slice(before) }
}

const post = (url: string) => fetch(url, { method: 'POST', body: 'x' }).then((response) => response.text())

describe.each([
  ['express', '/chat/:id'],
  ['fastify', '/chat/:id'],
  ['koa', '/chat/:id'],
  ['koa-router', '/chat/:id'],
  ['hono', '/chat/:id'],
  ['h3', '/chat/:id'],
  ['h3-1', '/chat/:id'],
  ['plain', undefined],
])('the model calls of a request that %s serves', (framework, route) => {
  // POST /chat/:id
  // ├─ chat gpt-test
  // └─ chat gpt-test
  it('have one root, named by the route, with the first user message and the last response', async () => {
    const ids = ['0', '1', '2', '3']
    const { spans, stderr } = await spansOf('frameworks.mjs', { FRAMEWORK: framework }, (url) =>
      Promise.all(ids.map((id) => post(`${url}/chat/${id}?secret=1`))),
    )
    expect(stderr).toBe('')
    const roots = spans.filter((span) => span.parentSpanId === null)
    expect(roots.map((root) => root.name)).toEqual(ids.map(() => 'POST /chat/:id'))
    expect(roots.map((root) => root.attributes['svc.observation.input']).sort()).toEqual(ids.map((id) => `first ${id}`))
    expect(new Set(roots.map((root) => root.attributes['http.route']))).toEqual(new Set([route]))
    for (const root of roots) {
      expect(root.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 200 })
      expect(root.attributes['url.path']).toMatch(/^\/chat\/\d$/)
      expect(root.attributes['svc.observation.output']).toMatch(/./)
      expect(spans.filter((span) => span.parentSpanId === root.spanId)).toHaveLength(2)
    }
    expect(spans).toHaveLength(12)
  })
})

it('the root of a request with response status 404 is no error', async () => {
  const { spans } = await spansOf('frameworks.mjs', { FRAMEWORK: 'plain' }, (url) => post(`${url}/chat/0/404`))
  const [root] = spans.filter((span) => span.parentSpanId === null)
  expect(root).toMatchObject({ attributes: { 'http.response.status_code': 404 } })
  expect(root?.status).toEqual({ code: SpanStatusCode.UNSET, message: '' })
})

/** Spans as a tree: one line each, two spaces deeper than its parent. */
function drawn(spans: Spans, parent: string | null = null, indent = ''): string[] {
  return spans
    .filter((span) => span.parentSpanId === parent)
    .sort((one, other) => one.name.localeCompare(other.name))
    .flatMap(({ name, spanId }) => [indent + name, ...drawn(spans, spanId, `${indent}  `)])
}

describe('a request of an application with observations', () => {
  let spans: Spans
  let tree: string[]
  beforeAll(async () => {
    ;({ spans } = await spansOf('observed.mjs', {}, async (url, program) => {
      for (const path of ['/whole', '/steps', '/failing', '/nothing', '/late']) await post(url + path)
      await program.printed(/asked/)
    }))
    tree = drawn(spans)
  })
  const root = (name: string) => spans.find((span) => span.name === name && span.parentSpanId === null)

  it('has the root observation of the application, is its own root otherwise, and has none if nothing was recorded', () => {
    expect(tree).toEqual([
      'POST /failing',
      '  chat gpt-test',
      'POST /late',
      '  chat gpt-test',
      'POST /steps',
      '  chat gpt-test',
      '  step',
      '    chat gpt-test',
      'turn',
      '  chat gpt-test',
    ])
  })

  it('is the root also of spans that end after its response', () => {
    expect(root('POST /late')?.attributes).toMatchObject({
      'http.response.status_code': 200,
      'svc.observation.input': 'late',
    })
  })

  it('is an error if its response status is one', () => {
    expect(root('POST /failing')?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'HTTP 503' })
  })

  it('is always the root with SVC_HTTP_ROOT=true', async () => {
    const always = await spansOf('observed.mjs', { SVC_HTTP_ROOT: 'true' }, (url) => post(`${url}/whole`))
    expect(drawn(always.spans)).toEqual(['POST /whole', '  turn', '    chat gpt-test'])
  })
})
