import { describe, expect, it } from 'vitest'
import { catchLog } from '../../packages/otel/test/support/console.ts'
import { sending } from '../../packages/otel/test/support/endpoint.ts'
import { startRawServer } from '../../packages/otel/test/support/raw-server.ts'

const log = catchLog()

describe('the export to an unresponsive service:', () => {
  it('a flush to a hanging service ends, and keeps the queue', async () => {
    await using server = await startRawServer(() => {})
    const { end, flush } = sending(server.url, { timeout: 0.05 })
    end('a', 'b')
    expect(await flush()).toMatchObject({ sent: 0, pending: 2, dropped: {} })
    expect(log.lines()).toEqual([])
  })

  it('a shutdown with a hanging service ends within its timeout, and reports the loss', async () => {
    await using server = await startRawServer(() => {})
    const { end, shutdown } = sending(server.url, { shutdownTimeout: 0.3, timeout: 600 })
    end('a', 'b')
    const { ms, ...health } = await shutdown()
    expect(ms).toBeGreaterThan(250)
    expect(health).toMatchObject({ sent: 0, pending: 0, pendingBytes: 0, dropped: { shutdown: 2 } })
    expect(log.lines()).toEqual([
      expect.stringContaining(
        `${server.url} did not accept them within 0.3 s (SVC_SHUTDOWN_TIMEOUT). 2 spans are lost.`,
      ),
    ])
  })

  it('a service that hangs twice and then responds receives everything', async () => {
    let connections = 0
    await using server = await startRawServer((socket) => {
      if (++connections > 2) socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    })
    const { end, look } = sending(server.url, { timeout: 0.1, flushAt: 1 })
    end('a')
    await expect.poll(look).toMatchObject({ state: 'ok', sent: 1, pending: 0, dropped: {} })
    expect(connections).toBeGreaterThanOrEqual(3)
  })

  it('an unreachable service loses nothing while it may come back, and logs one line at the end', async () => {
    const { end, flush, shutdown } = sending('http://127.0.0.1:1', { flushAt: 1 })
    end('a', 'b', 'c')
    expect((await flush()).pending).toBe(3)
    expect(log.lines()).toEqual([])
    expect(await shutdown()).toMatchObject({ pending: 0, dropped: { shutdown: 3 } })
    expect(log.lines()).toEqual([
      expect.stringMatching(/Cannot reach 127\.0\.0\.1:1: connect ECONNREFUSED 127\.0\.0\.1:1\. 3 spans are lost\.$/),
    ])
  })
})
