import { once } from 'node:events'
import { connect } from 'node:http2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { THIS_NODE } from '../support/nodes.ts'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'
import { requestsOn } from './on-node/requests.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('the model calls of an HTTP request', () => requestsOn(THIS_NODE, () => service))

it('an HTTP/2 request has one trace, that of its caller if its address is trusted', async () => {
  const env = { ...service.env, SVC_RELEASE: 'http2', SVC_TRUST_TRACEPARENT: 'loopback' }
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

it('a request has no root if nothing of it was exported', async () => {
  const env = { ...service.env, SVC_OTEL_BLOCKED_SCOPES: '@svc/instr*' }
  const program = startNode([...PRELOAD, app('server.mjs')], { cwd, env })
  const [, port] = await program.printed(/listening on (\d+)/)
  const before = service.local.requests().length
  await fetch(`http://127.0.0.1:${port}/chat`, { method: 'POST', body: 'x' }).then((response) => response.text())
  program.kill('SIGTERM')
  await program.ended
  expect(service.local.requests()).toHaveLength(before)
})
