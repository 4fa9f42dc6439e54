import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fetchSender } from '@svc/core/delivery/send-fetch'
import { notTheService, verdictOf } from '@svc/core/delivery/verdict'
import { afterEach, expect, it } from 'vitest'
import { post } from './post.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  server = createServer((request, response) => void request.resume().on('end', () => answer(response)))
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server?.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** The verdict of a server, which Node's pipeline and that of other clients on the edge share. */
async function onServer(url: string, timeoutMs: number) {
  const parts = {
    host: new URL(url).host,
    noun: { one: 'span', many: 'spans', made: 'ends' },
    timeoutMs,
    taken: (response: Parameters<typeof notTheService>[0], host: string) =>
      notTheService(response, host, 'OTLP endpoint'),
  }
  const request = { method: 'POST' as const, url, headers: {}, body: new Uint8Array(), timeoutMs }
  return verdictOf(
    await fetchSender()
      .send(request)
      .catch((error: Error) => error),
    parts,
  )
}

const answering =
  (status: number, body = '', headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body)

it.each<readonly [string, (response: ServerResponse) => void]>([
  ['400', answering(400, 'bad\n span')],
  ['401', answering(401, '{"message":"no"}')],
  ['403', answering(403)],
  ['404', answering(404, 'not found')],
  ['408', answering(408)],
  ['413', answering(413, 'too much')],
  ['422', answering(422)],
  ['429 and a time', answering(429, '', { 'retry-after': '7' })],
  ['429 and a time that is too far away', answering(429, '', { 'retry-after': '9'.repeat(400) })],
  ['503', answering(503, 'away')],
  ['a redirect', answering(308, '', { location: 'https://elsewhere.example/' })],
  ['a page', answering(200, '<html>log in</html>')],
  ['a text', answering(200, '"log in"')],
  ['a long page', answering(200, 'x'.repeat(1_000_000))],
  [
    'half of an answer',
    (response) => {
      response.writeHead(200, { 'content-length': '9' }).write('{"a')
      setImmediate(() => response.destroy())
    },
  ],
  ['no answer', () => {}],
  ['a broken connection', (response) => void response.destroy()],
])('what is sent from the edge has the same verdict and message as on a server: %s', async (what, answer) => {
  const url = await serve(answer)
  const timeoutMs = what === 'no answer' ? 250 : 30_000
  const expected = await onServer(url, timeoutMs)
  const { kind, cause, afterMs } = await post(fetch, { url, headers: {} }, '{}', timeoutMs)
  // A server names the address as well.
  const shown = (text = '') => text.replace(/Cannot reach (\S+): .*/, 'Cannot reach $1')
  expect({ kind, text: shown(cause.text), afterMs }).toEqual({
    kind: expected.kind,
    text: shown(expected.cause?.text),
    afterMs: 'afterMs' in expected ? expected.afterMs : undefined,
  })
})

it('what is sent from the edge is tried again as after any failure where the service names a date', async () => {
  const url = await serve(answering(503, '', { 'retry-after': 'Wed, 21 Oct 2065 07:28:09 GMT' }))
  expect(await post(fetch, { url, headers: {} }, '{}', 1_000)).toMatchObject({ kind: 'retry', afterMs: undefined })
})

it.each([
  ['', 0],
  ['{}', 0],
  ['{"partialSuccess":null}', 0],
  ['{"partialSuccess":{"rejectedSpans":"2"}}', 2],
  ['{"partialSuccess":{"rejectedSpans":-1}}', 0],
])('an answer of the service accepts spans: %j', async (body, rejected) => {
  const url = await serve(answering(200, body))
  expect(await post(fetch, { url, headers: {} }, '{}', 1_000)).toMatchObject({ kind: 'accepted', rejected })
})
