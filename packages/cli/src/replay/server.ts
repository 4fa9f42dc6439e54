import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { messageOf } from '@svc/core/log'
import { describeRequest } from '@svc/instrumentation/describe-request'
import type { Dialect } from './answer.ts'
import { findDialect } from './find-dialect.ts'
import { answerRaw } from './raw-answer.ts'
import { Receipts } from './receipts.ts'
import type { RecordedCall } from './recording.ts'
import { decoded } from './recording.ts'
import type { Replayer } from './replayer.ts'
import { readPlace } from './tree-place.ts'

/**
 * Answers the requests of an application in the place of the models. `redirect.ts` sends them here, with where they were
 * going to and their places in the tree in front of the path: what is not answered by the trace is sent on, byte for byte.
 */
export interface ReplayServer {
  /** With a path that nobody else can know: it would send for every page and program of this machine. */
  readonly url: string
  close(): void
}

/** @param system the system prompt of requests that are changed, from the first that no recorded call is left for */
export async function startReplayServer(
  replayer: Replayer,
  change?: { readonly system: string; readonly onlyLive: boolean },
): Promise<ReplayServer> {
  const secret = `/${randomUUID()}`
  const receipts = new Receipts()
  const server = createServer((request, response) => {
    const { url = '' } = request
    if (!url.startsWith(`${secret}/`)) return void response.writeHead(404).end()
    request.url = url.slice(secret.length)
    respond(request, response, { replayer, change, receipts }).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else fail(response, 502, messageOf(error))
    })
  })
  server.on('upgrade', ({ url }, connection, head) => {
    connection.unshift(head)
    if (url === `${secret}/receipts`) receipts.listen(connection)
    else connection.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${secret}`,
    close: () => {
      receipts.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

interface RespondOptions {
  readonly replayer: Replayer
  readonly change: Parameters<typeof startReplayServer>[1]
  readonly receipts: Receipts
}

async function respond(
  incoming: IncomingMessage,
  response: ServerResponse,
  { replayer, change, receipts }: RespondOptions,
) {
  const [, id = '', origin = '', place = '', path = ''] =
    /^\/([^/]+)\/([^/]+)\/([^/]*)(\/.*)$/.exec(incoming.url ?? '') ?? []
  // Not relative to the origin: behind a base URL that ends with a slash the path begins with two, which name a host.
  const target = new URL(new URL(decodeURIComponent(origin)).origin + path)
  const bytes = await buffer(incoming)
  const body = decoded(bytes.toString())
  const isJson = typeof body === 'object' && body !== null
  const given = isJson ? (body as Fields) : {}
  const dialect = findDialect(target.pathname)
  const fields = change && dialect && !change.onlyLive ? dialect.withSystem(given, change.system) : given
  const described = describeRequest(target.pathname, fields)
  const decision =
    described === undefined
      ? replayer.diverge(`${target.pathname} cannot be replayed: it is no request that is recorded`)
      : replayer.decide(described, readPlace(place), dialect)
  if ('fails' in decision) return fail(response, 400, `svc replay: ${decision.fails}`)
  if ('answeredBy' in decision) {
    const { raw } = decision.answeredBy
    if (raw) return answerRaw(response, raw, (bytes) => receipts.read(id, bytes)).finally(() => receipts.forget(id))
    if (dialect && described)
      return answer(response, decision.answeredBy, { dialect, request: fields, isStream: described.isStream })
  }
  const sent = change && dialect ? dialect.withSystem(given, change.system) : given
  sendOn(target, incoming, response, change && dialect ? Buffer.from(JSON.stringify(sent)) : bytes)
}

type Fields = Readonly<Record<string, unknown>>

interface AnswerOptions {
  readonly dialect: Dialect
  readonly request: Fields
  readonly isStream: boolean
}

function answer(response: ServerResponse, call: RecordedCall, { dialect, request, isStream }: AnswerOptions): void {
  if (call.failure || !call.answer) {
    fail(response, call.failure?.status ?? 500, call.failure?.message ?? '')
  } else if (!isStream) {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(dialect.whole(call.answer, request)))
  } else {
    response.setHeader('content-type', dialect.streamType)
    for (const part of dialect.stream(call.answer, request)) response.write(part)
    response.end()
  }
}

/** Libraries of OpenAI and Anthropic do not ask again where the header says so. */
function fail(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' })
  response.end(JSON.stringify({ type: 'error', error: { type: 'replay', code: status, message }, message }))
}

const OF_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']

function sendOn(target: URL, incoming: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !OF_CONNECTION.includes(name)))
  const send = target.protocol === 'https:' ? requestHttps : requestHttp
  const outgoing = send(target, { method: incoming.method, headers: { ...headers, 'content-length': body.length } })
  outgoing.on('response', (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers)
    answered.pipe(response)
    answered.on('error', () => response.destroy())
  })
  outgoing.on('error', (error) => (response.headersSent ? response.destroy() : fail(response, 502, error.message)))
  response.on('close', () => outgoing.destroy())
  outgoing.end(body)
}
