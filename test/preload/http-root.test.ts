import { SpanStatusCode } from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { expectRoots, post, type Spans, spansOf } from './http-root.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

// One over `node:http`, one over the requests of the web, and none. The others are in `.all`.
it.each([
  ['express', '/chat/:id'],
  ['hono', '/chat/:id'],
  ['plain', undefined],
])(
  'the model calls of a request that %s serves have one root, named by the route, with the first question, the last answer, and the user who was first',
  (framework, route) => expectRoots(service, framework, route),
)

it('the root of a request with response status 404 is no error', async () => {
  const { spans } = await spansOf(service, 'frameworks.mjs', { FRAMEWORK: 'plain' }, (url) => post(`${url}/chat/0/404`))
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
    ;({ spans } = await spansOf(service, 'observed.mjs', {}, async (url, program) => {
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
    const always = await spansOf(service, 'observed.mjs', { SVC_HTTP_ROOT: 'true' }, (url) => post(`${url}/whole`))
    expect(drawn(always.spans)).toEqual(['POST /whole', '  turn', '    chat gpt-test'])
  })
})
