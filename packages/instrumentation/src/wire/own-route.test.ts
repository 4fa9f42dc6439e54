import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { type Context, createContextKey, ROOT_CONTEXT } from '@opentelemetry/api'
import { afterAll, expect, it } from 'vitest'
import { callerOf, followToOwnRoute } from './own-route.ts'

const PATH = '/v1/chat/completions'
const call = ROOT_CONTEXT.setValue(createContextKey('call'), true)
/** Whose request each was that arrived. */
const callers: (Context | undefined)[] = []

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})
async function listen(server: Server): Promise<string> {
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Asks as a recorded call does. */
async function ask(url: string): Promise<void> {
  await (await fetch(url + PATH, { method: 'POST', body: '{}' })).text()
}
subscribe('undici:request:create', (message) => followToOwnRoute((message as { request: object }).request, call))

const serve = () =>
  listen(
    createServer((request, response) => {
      callers.push(callerOf(request.url, request.socket))
      response.end()
    }),
  )

it('the first call to each port that this process serves is joined, and the later ones', async () => {
  const [first, second] = [await serve(), await serve()]
  for (const url of [first, second, first, second]) await ask(url)
  expect(callers.splice(0)).toEqual([call, call, call, call])
})

it('a request of HTTP/2 is joined', async () => {
  const server = createHttp2Server().on('stream', (stream, headers) => {
    callers.push(callerOf(headers[':path'], stream.session?.socket as never))
    stream.respond({ ':status': 200 })
    stream.end()
  })
  const session = connect(await listen(server))
  subscribe('http2.client.stream.created', (message) => followToOwnRoute(message as object, call))
  for (let count = 0; count < 2; count++) {
    await once(session.request({ ':path': PATH, ':method': 'POST' }).end('{}').resume(), 'close')
  }
  session.close()
  expect(callers.splice(0)).toEqual([call, call])
})
