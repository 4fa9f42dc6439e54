import type { IncomingMessage, ServerResponse } from 'node:http'
import { whenUnlocked } from '../locked.ts'
import { type Answer, notFound, Refusal } from './answer.ts'
import { answered } from './answered.ts'
import { authorise, type FindKeys, type Keys } from './auth.ts'
import { checkLength, readBody } from './body.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { isOwnHost } from './host.ts'
import { CLOSED, closedPage, isOfPage, isOpenTo, opening, type PageAccess } from './page-token.ts'
import type { Replies } from './replies.ts'
import { type Access, type Call, matchRoute, type Route } from './router.ts'
import { checkSender, isForeign } from './sender.ts'

/** Access control needs these. */
export interface AccessConfig extends PageAccess {
  readonly keys: Keys
  /** Finds keys beside them. */
  readonly findKeys: FindKeys
  /** The keys are the defaults that everybody knows. */
  readonly knownKeys: boolean
  /** Answers that are given instead of the routes'. */
  readonly replies: Replies
  /** Answers the routes that only read, where they have a thread of their own. */
  readonly readThread: ReadAnswers | undefined
  /** Answers the routes that write, where they have a thread of their own. */
  readonly writeThread: WriteAnswers | undefined
}

/** Answers reads on another thread. */
export interface ReadAnswers {
  /** Returns whether there is so much to read that a thread is worth it. */
  answers(): boolean
  /** @param body of what asks by `POST` */
  answer(call: Omit<Call, 'params'>, body?: Buffer): Promise<Answer>
}

/** Answers writes on another thread. */
export interface WriteAnswers {
  /** Returns whether other requests would have to wait for it. */
  answers(body: Buffer, takesLongBy: 'body' | 'data'): boolean
  answer(call: Omit<Call, 'params'>, body: Buffer): Promise<Answer>
}

/** One request and how it was answered. */
export interface Exchange {
  readonly call: Call
  /** 0 when the connection was closed instead of an answer. */
  readonly status: number
  /** The body after decompression; undefined when it was not read. One of more than 1 MiB may be gone. */
  readonly body: Buffer | undefined
  /** Length of the body. */
  readonly bytes: number
  /** Traces that have new observations. */
  readonly traces: readonly string[]
  /** The request came from the page of this service. */
  readonly ofPage: boolean
}

/** Paths that programs call begin with this. */
export const API = '/api/'
/** Paths that only the page calls begin with this. */
export const VIEWER = '/viewer/'

/** Answers one request from the table. Never rejects. */
export async function dispatch<Service extends AccessConfig>(
  request: IncomingMessage,
  response: ServerResponse,
  routes: readonly Route<Service>[],
  service: Service,
): Promise<Exchange> {
  let body: Promise<Buffer> | undefined
  let bytes = 0
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
      return body.then((read) => {
        bytes ||= read.length
        return checkLength(read, limits)
      })
    },
  }
  const answer = await answerTo(call, routes, service)
  if (answer === 'drop') request.socket.destroy()
  else {
    const cors = call.path.startsWith(API) ? corsHeaders(request.headers.origin, service.knownKeys) : {}
    response.writeHead(answer.status, { ...SAFE_HEADERS, ...cors, ...answer.headers })
    if (answer.stream && call.method !== 'HEAD') answer.stream(response)
    else response.end(answer.body)
  }
  return {
    call: { ...call, params: {} },
    status: answer === 'drop' ? 0 : answer.status,
    body: await body?.catch(() => undefined),
    bytes,
    traces: (answer !== 'drop' && answer.traces) || [],
    ofPage: isOfPage(call.headers, service),
  }
}

// Also an answer of JSON is shown where it is framed: the one with the keys, in a page of another port of this machine.
const SAFE_HEADERS = { 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'cache-control': 'no-store' }

async function answerTo<Service extends AccessConfig>(
  call: Omit<Call, 'params'>,
  routes: readonly Route<Service>[],
  service: Service,
): Promise<Answer | 'drop'> {
  return answered(`${call.method} ${call.path}`, async () => {
    const planned = await plannedFor(call, service)
    if (planned !== 'pass') return planned
    if (!isOwnHost(call.headers.host, service.host))
      throw new Refusal(403, 'The Host header names another host: start the service with --host and that name')
    const match = matchRoute(routes, call.method, call.path)
    if (!match) throw notFound(`No route ${call.path}`)
    if (call.method === 'OPTIONS') {
      return { status: 204, headers: preflightHeaders(call.headers['access-control-request-headers']) }
    }
    if ('allowed' in match) {
      throw new Refusal(405, 'Method not allowed', `${call.method} ${call.path}`, { allow: match.allowed.join(', ') })
    }
    const { route, params } = match
    const opened = isPage(route.access) ? opening(call, service) : undefined
    if (opened) return opened
    checkSender(call, route.access, service.knownKeys)
    if (isPage(route.access) && !mayOpen(route.access, call, service)) return closed(call)
    admit(route.access, call, service)
    if (route.reads && service.readThread?.answers()) {
      return service.readThread.answer(call, call.method === 'POST' ? await call.body(route.limits) : undefined)
    }
    route.check?.({ ...call, params }, service)
    if (route.writes && service.writeThread) {
      const body = await call.body(route.limits)
      if (service.writeThread.answers(body, route.writes)) return service.writeThread.answer(call, body)
    }
    return whenUnlocked(() => route.handle({ ...call, params }, service))
  })
}

async function plannedFor(call: Omit<Call, 'params'>, { replies }: AccessConfig): Promise<Answer | 'drop' | 'pass'> {
  const planned = await replies.take(call.method, call.path)
  // Read as always, so that the log has it and the connection is free for the next request.
  if (planned) await call.body()
  return planned ?? 'pass'
}

const isPage = (access: Access): boolean => access === 'page' || access === 'own-page'

/** A page is also opened by a link to it, wherever that is; its data only by the page. */
function mayOpen(access: Access, { headers }: Pick<Call, 'headers'>, service: AccessConfig): boolean {
  if (isForeign(headers) && (access === 'own-page' || headers['sec-fetch-mode'] !== 'navigate')) return false
  // Without a token, what spends money still asks for a browser that says whose page it is.
  if (access === 'own-page' && service.token === undefined) return headers['sec-fetch-site'] === 'same-origin'
  return isOpenTo(headers, service)
}

function closed({ path }: Pick<Call, 'path'>): Answer {
  if (path.startsWith(VIEWER)) throw new Refusal(403, CLOSED, 'Forbidden')
  return closedPage()
}

function admit(access: Access, { headers }: Pick<Call, 'headers'>, service: AccessConfig): void {
  if (access === 'anyone' || isPage(access) || isOfPage(headers, service)) return
  authorise(headers.authorization, service.keys, service.findKeys, access === 'scores')
}
