import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { requestUnder } from './served.ts'

let service: Service
let other: Server
let received: { path: string; body: string }[]

beforeAll(async () => {
  service = await startService()
  other = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('latin1')) body += chunk
    received.push({ path: request.url ?? '', body })
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  other.close()
  await service.close()
})
beforeEach(() => {
  received = []
})

describe('a second destination', () => {
  it('receives all spans, and the service its own, without metrics or logs', async () => {
    const { port } = other.address() as AddressInfo
    const { ours } = await requestUnder(service, { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }, 'second')
    expect(ours.map((span) => span.name)).toEqual(['chat gpt-test', 'chat gpt-test'])
    expect(new Set(ours.map((span) => span.traceId)).size).toBe(1)
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/v1/traces']))
    const everything = received.map(({ body }) => body).join('')
    for (const text of ['chat gpt-test', '@opentelemetry/instrumentation-http', '@svc/instrumentation-openai']) {
      expect(everything).toContain(text)
    }
    expect(new Set(service.local.requests().map(({ path }) => path))).toEqual(new Set(['/api/public/otel/v1/traces']))
  })

  it('is ignored with one line if it is the service itself', async () => {
    const endpoint = `${service.local.url}/api/public/otel`
    const { ours, stderr } = await requestUnder(service, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, 'leftover')
    expect(ours).toHaveLength(3)
    expect(stderr.match(/OTEL_EXPORTER_OTLP_ENDPOINT points at svc itself and is ignored/g)).toHaveLength(1)
  })
})
