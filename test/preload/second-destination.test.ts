import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

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

/** The spans of a request to a server, which is told to end when so many of them have arrived. */
async function requestUnder(env: Record<string, string>, release: string, arrived = 0) {
  const spans = () => service.local.spans().filter((span) => span.attributes['svc.release'] === release)
  const server = startNode([...PRELOAD, app('server.mjs')], {
    cwd,
    env: { ...service.env, ...env, SVC_RELEASE: release },
  })
  const [, port] = await server.printed(/listening on (\d+)/)
  await fetch(`http://127.0.0.1:${port}/chat`, { method: 'POST', body: 'x' }).then((response) => response.text())
  await service.local.waitFor(() => spans().length >= arrived)
  server.kill('SIGTERM')
  const { stderr } = await server.ended
  return { stderr, ours: spans() }
}

describe('a second destination', () => {
  it('receives all spans, and the service its own, without metrics or logs', async () => {
    const { port } = other.address() as AddressInfo
    const { ours } = await requestUnder({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }, 'second')
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
    const { ours, stderr } = await requestUnder({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, 'leftover')
    expect(ours).toHaveLength(3)
    expect(stderr.match(/OTEL_EXPORTER_OTLP_ENDPOINT points at svc itself and is ignored/g)).toHaveLength(1)
  })

  it('that never responds is named at the end, and the service has its spans long before', async () => {
    const sockets = new Set<Socket>()
    const hanging = createNetServer((socket) => sockets.add(socket))
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`,
      SVC_FLUSH_AT: '1',
      SVC_SHUTDOWN_TIMEOUT: '0.3',
    }
    const { ours, stderr } = await requestUnder(env, 'beside a hanging one', 2)
    for (const socket of sockets) socket.destroy()
    hanging.close()
    expect(ours).toHaveLength(2)
    expect(stderr).toMatch(
      /gave up on the last spans: the second destination did not accept them within 0\.3 s \(SVC_SHUTDOWN_TIMEOUT\)/,
    )
  })

  it('can be the console', async () => {
    const { ours } = await requestUnder({ OTEL_TRACES_EXPORTER: 'console' }, 'console')
    expect(ours).toHaveLength(2)
  })
})
