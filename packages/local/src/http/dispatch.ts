import type { IncomingMessage, ServerResponse } from 'node:http'
import { whenUnlocked } from '../locked.ts'
import { type Answer, notFound, Refusal } from './answer.ts'
import { answered } from './answered.ts'
import { authorise, type FindKeys, type Keys } from './auth.ts'
import { readBody } from './body.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { isLoopback, isOwnHost } from './host.ts'
import type { Replies } from './replies.ts'
import { type Access, type Call, matchRoute, type Route } from './router.ts'

/** What access control needs. */
export interface AccessConfig {
  readonly keys: Keys
  /** Finds keys beside them. */
  readonly findKeys: FindKeys
  /** The keys are the defaults that everybody knows. */
  readonly knownKeys: boolean
  /** Address the service listens on. */
  readonly host: string
  /** Answers that are given instead of the routes'. */
  readonly replies: Replies
  /** Answers the routes that only read, where they have threads of their own. */
  readonly readThread: ReadAnswers | undefined
}

/** What answers on other threads. */
export interface ReadAnswers {
  /** Whether there is so much to read that a thread is worth it. */
  answers(): boolean
  answer(call: Omit<Call, 'params'>, keeps?: boolean): Promise<Answer>
}

/** One request and how it was answered. */
export interface Exchange {
  readonly call: Call
  /** 0 when the connection was closed instead of an answer. */
  readonly status: number
  /** The body after decompression; undefined when it was not read. */
  readonly body: Buffer | undefined
  /** The request came from the page of this service. */
  readonly ofPage: boolean
}

/** Where everything begins that programs call. */
export const API = '/api/'

/** Answers one request from the table. Never rejects. */
export async function dispatch<Service extends AccessConfig>(
  request: IncomingMessage,
  response: ServerResponse,
  routes: readonly Route<Service>[],
  service: Service,
): Promise<Exchange> {
  let body: Promise<Buffer> | undefined
  const left = new AbortController()
  response.on('close', () => response.writableFinished || left.abort())
  const url = new URL(request.url?.startsWith('/') ? `http://local${request.url}` : 'http://local/')
  const call: Omit<Call, 'params'> = {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    left: left.signal,
    body: (limits) => {
      body ??= readBody(request, limits)
      return body
    },
  }
  const answer = await answerTo(call, routes, service)
  if (answer === 'drop') request.socket.destroy()
  else {
    const cors = call.path.startsWith(API) ? corsHeaders(request.headers.origin, service.knownKeys) : {}
    response.writeHead(answer.status, { ...SAFE_HEADERS, ...cors, ...answer.headers })
    if (answer.stream) answer.stream(response)
    else response.end(answer.body)
  }
  return {
    call: { ...call, params: {} },
    status: answer === 'drop' ? 0 : answer.status,
    body: await body?.catch(() => undefined),
    ofPage: isOfPage(call.headers),
  }
}

const SAFE_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

async function answerTo<Service extends AccessConfig>(
  call: Omit<Call, 'params'>,
  routes: readonly Route<Service>[],
  service: Service,
): Promise<Answer | 'drop'> {
  return answered(`${call.method} ${call.path}`, async () => {
    const planned = await plannedFor(call, service)
    if (planned !== 'pass') return planned
    if (!isOwnHost(call.headers.host, service.host)) throw new Refusal(403, 'The Host header names another host')
    const match = matchRoute(routes, call.method, call.path)
    if (!match) throw notFound(`No route ${call.path}`)
    if (call.method === 'OPTIONS') {
      return { status: 204, headers: preflightHeaders(call.headers['access-control-request-headers']) }
    }
    if ('allowed' in match) {
      throw new Refusal(405, 'Method not allowed', `${call.method} ${call.path}`, { allow: match.allowed.join(', ') })
    }
    const { route, params } = match
    admit(route.access, call, service)
    if (route.reads && service.readThread?.answers()) return service.readThread.answer(call, route.keeps)
    return whenUnlocked(() => route.handle({ ...call, params }, service))
  })
}

async function plannedFor(call: Omit<Call, 'params'>, { replies }: AccessConfig): Promise<Answer | 'drop' | 'pass'> {
  const planned = await replies.take(call.method, call.path)
  // Read as always, so that the log has it and the connection is free for the next request.
  if (planned) await call.body()
  return planned ?? 'pass'
}

function admit(access: Access, { headers }: Pick<Call, 'headers'>, { keys, findKeys, host }: AccessConfig): void {
  if (access === 'own-page' && headers['sec-fetch-site'] !== 'same-origin') {
    throw new Refusal(403, 'Only the page of this service may do this', 'Forbidden')
  }
  if (access === 'anyone' || (isLoopback(host) && (access === 'page' || isOfPage(headers)))) return
  authorise(headers.authorization, keys, findKeys, access === 'scores')
}

/**
 * Whether a request comes from the page of this service, which anyone on this machine may open. Browsers set
 * `Sec-Fetch-Site`, and scripts cannot change it. A request with keys needs the right ones.
 */
function isOfPage(headers: Pick<Call, 'headers'>['headers']): boolean {
  return headers['sec-fetch-site'] === 'same-origin' && headers.authorization === undefined
}
