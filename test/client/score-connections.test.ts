import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SvcClient } from '@svc/client'
import { expect, it } from 'vitest'

it('short-lived clients share their connections', async () => {
  let connections = 0
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume().on('end', () => response.writeHead(202).end())
  })
  server.on('connection', () => {
    connections += 1
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (let request = 0; request < 5; request++) {
    const client = new SvcClient({ publicKey: 'pk', secretKey: 'sk', baseUrl, timeout: 60 })
    client.score.create({ traceId: '0123456789abcdef0123456789abcdef', name: 'n', value: 1 })
    await client.flush()
  }
  server.close()
  server.closeAllConnections()
  expect(connections).toBe(1)
})
