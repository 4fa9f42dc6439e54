import { once } from 'node:events'
import { connect } from 'node:http2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NODE_VERSIONS, nodeOf } from '../support/nodes.ts'
import { type Program, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

async function serve(node: string, env: Record<string, string>): Promise<{ program: Program; url: string }> {
  const program = startNode([...PRELOAD, app('server.mjs')], { node, cwd, env: { ...service.env, ...env } })
  const [, port] = await program.printed(/listening on (\d+)/)
  return { program, url: `http://127.0.0.1:${port}` }
}

const post = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: 'x'.repeat(100_000), headers }).then((response) => response.text())

/** The question of a model call, from its recorded input. */
const questionOf = (span: { attributes: Readonly<Record<string, unknown>> }) =>
  String(span.attributes['svc.observation.input'])

describe.each(NODE_VERSIONS)('the model calls of an HTTP request, Node %s', (version) => {
  let node: string
  beforeAll(() => {
    node = nodeOf(version)
  })

  it('belong to one trace, and those of another request to another', async () => {
    const release = `requests ${version}`
    const { program, url } = await serve(node, { SVC_RELEASE: release })
    await Promise.all(['/a', '/b', '/c', '/d'].map((path) => post(url + path)))
    program.kill('SIGTERM')
    await program.ended
    const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === release)
    expect(spans).toHaveLength(12)
    const traces = Map.groupBy(spans, (span) => span.traceId)
    expect(traces.size).toBe(4)
    for (const trace of traces.values()) {
      const [root, ...others] = trace.filter((span) => span.parentSpanId === null)
      expect(others).toEqual([])
      const calls = trace.filter((span) => span.parentSpanId === root?.spanId)
      expect(calls.map((span) => /(?:first|second) (\/\w)/.exec(questionOf(span))?.[1])).toEqual([
        root?.attributes['url.path'],
        root?.attributes['url.path'],
      ])
    }
  })

  it('continue the trace of a traceparent header', async () => {
    const traceId = version.replaceAll('.', '').padEnd(32, 'a')
    const { program, url } = await serve(node, {})
    await post(`${url}/continued`, { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` })
    program.kill('SIGTERM')
    await program.ended
    const spans = service.local.spans().filter((span) => span.traceId === traceId)
    const root = spans.find((span) => span.parentSpanId === 'b'.repeat(16))
    expect(root?.name).toBe('POST /continued')
    expect(spans.filter((span) => span.parentSpanId === root?.spanId)).toHaveLength(2)
  })
})

it('an HTTP/2 request has one trace', async () => {
  const env = { ...service.env, SVC_RELEASE: 'http2' }
  const program = startNode([...PRELOAD, app('http2.mjs')], { cwd, env })
  const [, port] = await program.printed(/listening on (\d+)/)
  const session = connect(`http://127.0.0.1:${port}`)
  const traceId = 'c'.repeat(32)
  const stream = session.request({ ':path': '/', traceparent: `00-${traceId}-${'d'.repeat(16)}-01` })
  stream.resume().end()
  await once(stream, 'close')
  session.close()
  program.kill('SIGTERM')
  await program.ended
  const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === 'http2')
  expect(spans.map((span) => span.traceId)).toEqual([traceId, traceId, traceId])
  const root = spans.find((span) => span.parentSpanId === 'd'.repeat(16))
  expect(root).toMatchObject({
    name: 'GET /',
    attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200 },
  })
  expect(spans.filter((span) => span.parentSpanId === root?.spanId)).toHaveLength(2)
})

describe('the root of a request', () => {
  it('has the request and the response', async () => {
    const { program, url } = await serve(process.execPath, { SVC_RELEASE: 'rooted' })
    await post(`${url}/chat?secret=1`)
    program.kill('SIGTERM')
    await program.ended
    const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === 'rooted')
    const root = spans.find((span) => span.parentSpanId === null)
    expect(root).toMatchObject({
      name: 'POST /chat',
      attributes: { 'http.request.method': 'POST', 'url.path': '/chat', 'http.response.status_code': 200 },
    })
    expect(spans.filter((span) => span.parentSpanId === root?.spanId)).toHaveLength(2)
  })

  it('is not created if nothing was exported', async () => {
    const { program, url } = await serve(process.execPath, {
      SVC_OTEL_BLOCKED_SCOPES: '@svc/instr*',
    })
    const before = service.local.requests().length
    await post(`${url}/chat`)
    program.kill('SIGTERM')
    await program.ended
    expect(service.local.requests()).toHaveLength(before)
  })
})
