import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { type BodyLimits, readBody } from './body.ts'

const LIMITS = { wire: 1_000, decoded: 2_000 }

/** What a server makes of a body that `send` writes. */
async function received(send: (sent: ReturnType<typeof request>, server: Server) => void, limits: BodyLimits = LIMITS) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sent = request({ port, method: 'POST' }).on('error', () => {})
  send(sent, server)
  const [incoming, response] = await once(server, 'request')
  const body = await readBody(incoming, limits).then(
    (read) => read.toString(),
    (error: Error) => error.message,
  )
  response.end()
  server.closeAllConnections()
  server.close()
  return body
}

const gzipped = (text: string) => (sent: ReturnType<typeof request>) => {
  sent.setHeader('content-encoding', 'gzip').end(gzipSync(text))
}

it('a request body within the limits is read, whatever its chunks are', async () => {
  const pieces = await received((sent) => {
    sent.write('one ')
    sent.end('two')
  })
  expect(pieces).toBe('one two')
  expect(await received(gzipped('x'.repeat(2_000)))).toBe('x'.repeat(2_000))
})

it('compressed and decompressed request bodies have a limit each', async () => {
  expect(await received((sent) => sent.end('x'.repeat(1_001)))).toBe('The body is larger than 1000 bytes')
  expect(await received(gzipped('x'.repeat(2_001)))).toBe('The decompressed body is larger than 2000 bytes')
})

it('an unfinished request body is abandoned with its connection', async () => {
  const stopped = await received((sent, server) => {
    sent.setHeader('content-length', 100)
    sent.write('half')
    server.once('request', () => sent.destroy())
  })
  expect(stopped).toBe('The body stopped before its end')
})
