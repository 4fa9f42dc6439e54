import type { IncomingMessage, ServerResponse } from 'node:http'
import { findKeys } from './api/projects/find-keys.ts'
import { Arrivals, type WaitOptions } from './arrivals.ts'
import { BackgroundTask } from './background-task.ts'
import { groupBy } from './group.ts'
import { isKnown, keysFor } from './http/auth.ts'
import { API, dispatch, VIEWER } from './http/dispatch.ts'
import { isLoopback } from './http/host.ts'
import { listen, stop } from './http/listen.ts'
import { newToken, withToken } from './http/page-token.ts'
import { type PlannedReply, Replies, type Reply } from './http/replies.ts'
import { Live } from './live.ts'
import { openStore, storeOptions } from './open-store.ts'
import type { PlaygroundOptions } from './playground-options.ts'
import { type ReceivedCall, type ReceivedRequest, RequestLog } from './requests.ts'
import { ROUTES } from './routes.ts'
import type { Service } from './service.ts'
import { listenError, openPages } from './start-error.ts'
import type { Observation } from './store/observation.ts'
import type { ReceivedSpan } from './store/received.ts'
import { type Score, scoreFor } from './store/score.ts'
import { temporaryFile } from './store/temporary.ts'
import { ServiceThread } from './threads/thread.ts'
import { receivedSpan } from './trace/otlp.ts'
import { observationFor, type Trace, traceOf } from './trace/trace.ts'

/** Options of {@link startLocal}. */
export interface LocalOptions {
  /** TCP port. Default 0: any free one. */
  readonly port?: number
  /** Address to listen on. Default `127.0.0.1`: reachable from this machine only. */
  readonly host?: string
  /** Default `pk-svc-local`; a random one in its place when `host` is not loopback. */
  readonly publicKey?: string
  /** Default `sk-svc-local`; a random one in its place when `host` is not loopback. */
  readonly secretKey?: string
  /** False: anybody on this machine may open the page. Default: only who has {@link LocalService.pageUrl}. */
  readonly token?: boolean
  /** Database file that keeps the data, readable by its owner only. Default: a temporary one, removed on close. */
  readonly db?: string
  /** Most bytes of data; beyond, the oldest traces make room. Default 256 MiB, and no limit with `db`. */
  readonly maxBytes?: number
  /** Milliseconds after which a trace that has not changed is forgotten. Default: never. */
  readonly keepMs?: number
  /**
   * Keys with which the page may call models again, from the playground. They are sent to their vendor and nowhere
   * else, and never stored. Default: none, and no playground.
   */
  readonly playground?: PlaygroundOptions
}

/** A running service. */
export interface LocalService {
  /** Base URL without a trailing slash. */
  readonly url: string
  /** The URL that opens the page in a browser: its token is of this start. */
  readonly pageUrl: string
  readonly publicKey: string
  readonly secretKey: string
  /** The variables that make an SDK talk to this service. */
  readonly env: Readonly<Record<'SVC_PUBLIC_KEY' | 'SVC_SECRET_KEY' | 'SVC_BASE_URL', string>>
  /** Stops listening, lets requests in flight finish for up to one second, closes the database. */
  close(): Promise<void>
  /** All traces, the one that started first first. */
  traces(): Trace[]
  /** All observations by start, or those that `filter` wants. */
  observations(filter?: (observation: Observation) => boolean): Observation[]
  /** Counts the observations, which is far cheaper than reading them. */
  count(): number
  /** All spans as they were received, in the order of arrival. */
  spans(): ReceivedSpan[]
  /** All scores, in the order in which they came first. */
  scores(): Score[]
  /** The last 1,000 requests at the OTLP intake, accepted and refused, with the headers as they were on the wire. */
  requests(): ReceivedRequest[]
  /** The last 1,000 requests at all other routes of the API, with their bodies. */
  calls(): ReceivedCall[]
  /**
   * Answers the next requests to a route from here instead of the service: a refusal, a hang, a closed connection.
   *
   * @param to `POST /api/public/scores`; without a method, for every one; `{name}` stands for one segment of the path.
   * @throws Error when `to` names no path.
   */
  respond(to: string, reply: Reply): PlannedReply
  /**
   * Resolves with the first thing `look` finds that is neither undefined, null nor false: now, or after any later
   * request at the API. Rejects at the timeout (default 10 s) and when the service closes.
   */
  waitFor<T>(look: (service: LocalService) => T | undefined | null | false, options?: WaitOptions): Promise<T>
  /** {@link LocalService.waitFor} a trace that fits; any trace when no predicate is given. */
  waitForTrace(fits?: (trace: Trace) => boolean, options?: WaitOptions): Promise<Trace>
  /** {@link LocalService.waitFor} at least `count` scores, and gives all of them. */
  waitForScores(count: number, options?: WaitOptions): Promise<Score[]>
}

/**
 * Starts the service inside this process. Rejects with a message fit for the user when the port is taken or the
 * database cannot be used.
 *
 * @example
 * const local = await startLocal()
 * const app = spawn('node', ['--import', '@svc/register', 'app.js'], { env: { ...process.env, ...local.env } })
 * const trace = await local.waitForTrace(({ name }) => name === 'POST /chat')
 * await local.close()
 */
export async function startLocal(options: LocalOptions = {}): Promise<LocalService> {
  const { port: wanted = 0, host = '127.0.0.1' } = options
  const nearby = isLoopback(host)
  if (!nearby && options.token === false) throw openPages(host)
  const keys = keysFor(options, nearby)
  const token = options.token === false ? undefined : newToken()
  const temporary = options.db === undefined ? temporaryFile() : undefined
  const { store, file } = openStore(options, temporary)
  const reads = file === undefined ? undefined : new ServiceThread({ file, keys })
  const writes = file === undefined ? undefined : new ServiceThread({ file, keys, writes: storeOptions(options) })
  const closeStore = () => {
    store.close()
    temporary?.remove()
  }
  const collecting = new BackgroundTask(
    () => store.search.collect(WORDS_AT_ONCE),
    'the words of new observations are not searched',
  )
  const service: Service = {
    keys,
    findKeys: (publicKey) => findKeys(publicKey, store, nearby),
    knownKeys: Object.values(keys).some(isKnown),
    host,
    token,
    store,
    requests: new RequestLog(),
    arrivals: new Arrivals(),
    replies: new Replies(),
    live: new Live(),
    collecting,
    playground: options.playground ?? {},
    startedAt: Date.now(),
    readThread: reads && {
      answers: () => store.bytes() > SMALL,
      answer: (call, body) => reads.answer(call, body),
    },
    writeThread: writes && {
      answers: (body, by) => body.length > LONG_BODY || (by === 'data' && store.bytes() > SMALL),
      answer: (call, body) => writes.answer(call, body),
    },
  }
  const { server, port } = await listen((request, response) => void serve(request, response, service), {
    host,
    port: wanted,
  }).catch((error) => {
    closeStore()
    throw listenError(error, host, wanted)
  })
  if (service.readThread?.answers()) reads?.start()
  let closing: Promise<void> | undefined
  return running(service, baseUrl(host, port), () => {
    closing ??= stop(server)
      .then(() => Promise.all([reads?.close(), writes?.close()]))
      .then(closeStore)
    service.arrivals.close()
    service.replies.close()
    service.live.close()
    collecting.close()
    return closing
  })
}

/** Bytes of a database that is read in a few milliseconds, which need no thread. */
const SMALL = 1024 * 1024
/** Bytes of a body that is stored in some milliseconds. */
const LONG_BODY = 16 * 1024

/** Observations whose words are collected at once. */
const WORDS_AT_ONCE = 50

async function serve(request: IncomingMessage, response: ServerResponse, service: Service): Promise<void> {
  const exchange = await dispatch(request, response, ROUTES, service)
  const { call, ofPage, status, traces } = exchange
  if (!ofPage) service.requests.add(exchange)
  if (call.path.startsWith(VIEWER) && status === 200) {
    service.live.watched = true
    service.collecting.wake()
  }
  if (traces.length > 0) {
    service.live.announceTraces(traces)
    if (service.live.watched) service.collecting.wake()
  }
  if (!call.path.startsWith(API)) return
  if (call.method === 'GET' && ofPage) return
  service.arrivals.announce()
  if (call.method !== 'GET' && status < 300 && traces.length === 0) service.live.announce(call.path)
}

/** The address to connect to: one that listens everywhere is reached on loopback. */
function baseUrl(host: string, port: number): string {
  const reached: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  const name = reached[host] ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function running(
  { keys, token, store, requests, arrivals, replies }: Service,
  url: string,
  close: () => Promise<void>,
): LocalService {
  const all = () => store.observations({ sql: 'ORDER BY startTime, seq', values: [] })
  const local: LocalService = {
    url,
    pageUrl: withToken(url, token),
    ...keys,
    env: { SVC_PUBLIC_KEY: keys.publicKey, SVC_SECRET_KEY: keys.secretKey, SVC_BASE_URL: url },
    close,
    traces: () => [...groupBy(all(), ({ traceId }) => traceId)].map(([id, observations]) => traceOf(id, observations)),
    observations: (filter = () => true) => all().map(observationFor).filter(filter),
    count: () => store.count(),
    spans: () => store.spans().map((span) => receivedSpan(span)),
    scores: () => store.scores.find().map(scoreFor),
    requests: () => requests.requests(),
    calls: () => requests.calls(),
    respond: (to, reply) => replies.plan(to, reply),
    waitFor: (look, options) => arrivals.wait(() => look(local), options),
    waitForTrace: (fits = () => true, options) => {
      // Only traces that changed since the last look can have become one that fits.
      let seen = 0
      const look = () => {
        const { ids, change } = store.changedSince(seen)
        seen = change
        for (const id of ids) {
          const trace = traceOf(id, store.trace(id))
          if (fits(trace)) return trace
        }
        return undefined
      }
      return arrivals.wait(look, options)
    },
    waitForScores: (count, options) => {
      const enough = () => (store.scores.count() >= count ? local.scores() : undefined)
      return arrivals.wait(enough, options)
    },
  }
  return local
}
