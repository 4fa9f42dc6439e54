import { senderFor } from '@svc/core/delivery/send'
import { fetchSender } from '@svc/core/delivery/send-fetch'
import { httpSender } from '@svc/core/delivery/send-http'
import {
  BODY_LIMIT,
  bodyText,
  type HttpRequest,
  type HttpResponse,
  type HttpSender,
  NoResponseError,
} from '@svc/core/http-exchange'
import { DIRECT } from '@svc/core/transport'
import { describe, expect, it } from 'vitest'
import { type Reply, startIntake } from '../../test/support/intake.ts'
import { startRawServer } from '../../test/support/raw-server.ts'

const body = new TextEncoder().encode('hello')
const requestTo = (url: string, timeoutMs = 10_000): HttpRequest => ({
  method: 'POST',
  url: `${url}/path?x=1`,
  headers: { 'x-own': 'yes' },
  body,
  timeoutMs,
})

/** A response with its body as text. */
const readable = (response: HttpResponse) => ({ ...response, body: bodyText(response) })

describe.each<[name: string, make: () => HttpSender]>([
  ['node:http', () => httpSender(DIRECT) as HttpSender],
  ['fetch', () => fetchSender()],
])('sending with %s', (_, make) => {
  it('delivers method, path, headers and body, with their length', async () => {
    await using intake = await startIntake()
    const sender = make()
    const response = await sender.send({ ...requestTo(intake.url), method: 'PATCH' })
    expect(readable(response)).toMatchObject({ status: 200, body: '{}', complete: true })
    expect(response.headers['content-type']).toBe('application/json')
    const [arrived] = intake.requests
    expect(arrived).toMatchObject({ method: 'PATCH', path: '/path?x=1', body: Buffer.from(body) })
    expect(arrived?.headers).toMatchObject({ 'x-own': 'yes', 'content-length': '5' })
    sender.close()
  })

  it('accepts a timeout beyond 2^31-1 ms', async () => {
    await using intake = await startIntake()
    const sender = make()
    expect(await sender.send(requestTo(intake.url, 1e13))).toMatchObject({ status: 200 })
    sender.close()
  })

  it.each<[what: string, reply: Reply, expected: object]>([
    [
      'a status',
      (response) => response.writeHead(401).end('{"message":"no"}'),
      { status: 401, body: '{"message":"no"}', complete: true },
    ],
    [
      'Retry-After and Date',
      (response) => response.writeHead(503, { 'retry-after': '7', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }).end(),
      { status: 503, headers: { 'retry-after': '7', date: 'Thu, 01 Jan 2026 00:00:00 GMT' } },
    ],
    [
      'a redirect, unfollowed',
      (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
    ],
    ['an empty answer', (response) => response.writeHead(204).end(), { status: 204, body: '', complete: true }],
    [
      'a broken body, and that it is not complete',
      (response) => void response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy()),
      { status: 200, body: 'half', complete: false },
    ],
  ])('returns %s', async (_what, reply, expected) => {
    await using intake = await startIntake(reply)
    const sender = make()
    expect(readable(await sender.send(requestTo(intake.url)))).toMatchObject(expected)
    sender.close()
  })

  it('returns only the headers that are used', async () => {
    await using intake = await startIntake((response) => response.writeHead(200, { 'set-cookie': 'a=b' }).end())
    const sender = make()
    expect(Object.keys((await sender.send(requestTo(intake.url))).headers)).toEqual(['date'])
    sender.close()
  })

  it('keeps the beginning of an endless response and closes the connection', async () => {
    await using intake = await startIntake((response) => {
      const chunk = Buffer.alloc(100_000, 'x')
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.writeHead(200).on('drain', more)
      more()
    })
    const sender = make()
    const { status, body: beginning, complete } = await sender.send(requestTo(intake.url))
    expect([status, beginning.length, complete]).toEqual([200, BODY_LIMIT, false])
    sender.close()
  })

  it('marks a truncated response as incomplete', async () => {
    await using intake = await startIntake((response) => response.writeHead(200).end('x'.repeat(BODY_LIMIT + 1)))
    const sender = make()
    const { body: beginning, complete } = await sender.send(requestTo(intake.url))
    expect([beginning.length, complete]).toEqual([BODY_LIMIT, false])
    sender.close()
  })

  it('applies its timeout to the whole response', async () => {
    await using server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
      const drip = setInterval(() => socket.write('x'), 10)
      socket.on('close', () => clearInterval(drip))
    })
    const sender = make()
    // Otherwise it would never end.
    expect(await sender.send(requestTo(server.url, 3_000))).toMatchObject({ status: 200, complete: false })
    sender.close()
  })

  it('rejects if a server accepts the request and never responds', async () => {
    await using server = await startRawServer(() => {})
    const sender = make()
    await expect(sender.send(requestTo(server.url, 50.5))).rejects.toThrow(NoResponseError)
    sender.close()
  })

  it.each<[what: string, answer: string]>([
    ['hangs up', ''],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['breaks off in its headers', 'HTTP/1.1 200 OK\r\ncontent-'],
  ])('rejects if the server %s', async (_what, answer) => {
    await using server = await startRawServer((socket) => socket.once('data', () => socket.end(answer)))
    const sender = make()
    await expect(sender.send(requestTo(server.url))).rejects.toThrow()
    sender.close()
  })

  it.each(['http://127.0.0.1:1', 'http://nowhere.invalid', 'not a url'])(
    'rejects if %s cannot be reached',
    async (url) => {
      const sender = make()
      await expect(sender.send(requestTo(url))).rejects.toThrow()
      sender.close()
    },
  )
})

describe('node:http', () => {
  it('reuses one connection for consecutive requests', async () => {
    const ports = new Set<number | undefined>()
    await using intake = await startIntake((response) => {
      ports.add(response.socket?.remotePort)
      response.writeHead(200).end()
    })
    const sender = httpSender(DIRECT) as HttpSender
    for (let at = 0; at < 5; at++) await sender.send(requestTo(intake.url))
    expect(ports.size).toBe(1)
    sender.close()
  })
})

it.each([true, false])('the sender is chosen for the runtime: Node.js %s', async (node) => {
  await using intake = await startIntake()
  const sender = senderFor({ node, compressionStream: true }, DIRECT)
  await sender.send(requestTo(intake.url))
  sender.close()
  // Only fetch names itself.
  expect(intake.requests[0]?.headers['user-agent']).toBe(node ? undefined : 'node')
})
