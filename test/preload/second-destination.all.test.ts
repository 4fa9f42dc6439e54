import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { requestUnder } from './served.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('a second destination', () => {
  it('that never responds is named at the end, and the service has its spans long before', async () => {
    const sockets = new Set<Socket>()
    const hanging = createServer((socket) => sockets.add(socket))
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`,
      // OpenTelemetry's own limit of ten seconds would give up without a word before a busy machine comes to the end.
      OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
      OTEL_BSP_EXPORT_TIMEOUT: '600000',
      SVC_FLUSH_AT: '1',
      SVC_SHUTDOWN_TIMEOUT: '0.3',
    }
    const { ours, stderr } = await requestUnder(service, env, 'beside a hanging one', 2)
    for (const socket of sockets) socket.destroy()
    hanging.close()
    expect(ours).toHaveLength(2)
    expect(stderr).toMatch(
      /gave up on the last spans: the second destination did not accept them within 0\.3 s \(SVC_SHUTDOWN_TIMEOUT\)/,
    )
  })

  it('can be the console', async () => {
    const { ours } = await requestUnder(service, { OTEL_TRACES_EXPORTER: 'console' }, 'console')
    expect(ours).toHaveLength(2)
  })
})
