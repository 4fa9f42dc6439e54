import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runNode, startNode } from '../support/run.ts'
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

async function requestUnder(env: Record<string, string>, release: string) {
  const server = startNode([...PRELOAD, app('server.mjs')], {
    cwd,
    env: { ...service.env, ...env, SVC_RELEASE: release },
  })
  const [, port] = await server.printed(/listening on (\d+)/)
  await fetch(`http://127.0.0.1:${port}/chat`, { method: 'POST', body: 'x' }).then((response) => response.text())
  server.kill('SIGTERM')
  const { stderr } = await server.ended
  return { stderr, ours: service.local.spans().filter((span) => span.attributes['svc.release'] === release) }
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

  it('with an unknown exporter is reported in one line and skipped', async () => {
    const { ours, stderr } = await requestUnder({ OTEL_TRACES_EXPORTER: 'jaeger' }, 'unknown')
    expect(ours).toHaveLength(3)
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/OTEL_TRACES_EXPORTER="jaeger" is ignored: expected otlp, zipkin, console or none/),
    ])
  })

  it('that never responds does not delay the process, and is named', async () => {
    const sockets = new Set<Socket>()
    const hanging = createNetServer((socket) => sockets.add(socket))
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    const { port } = hanging.address() as AddressInfo
    const { code, stdout, stderr, milliseconds } = await runNode([...PRELOAD, app('chat.mjs')], {
      cwd,
      env: {
        ...service.env,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        SVC_SHUTDOWN_TIMEOUT: '0.3',
        SVC_RELEASE: 'beside a hanging one',
      },
    })
    for (const socket of sockets) socket.destroy()
    hanging.close()
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /) })
    expect(stderr).toMatch(
      /gave up on the last spans: the second destination did not accept them within 0\.3 s \(SVC_SHUTDOWN_TIMEOUT\)/,
    )
    expect(milliseconds).toBeLessThan(8_000)
    const ours = service.local.spans().filter((span) => span.attributes['svc.release'] === 'beside a hanging one')
    expect(ours).toHaveLength(1)
  })

  it('can be the console', async () => {
    const { ours } = await requestUnder({ OTEL_TRACES_EXPORTER: 'console' }, 'console')
    expect(ours).toHaveLength(2)
  })
})
