import { subscribe } from 'node:diagnostics_channel'
import { attempt } from '@svc/core/attempt'
import { isChannelPath, isModelPath } from '@svc/instrumentation/model-path'
import type { RecordRequest, WireKind } from '@svc/instrumentation/recorders'
import type { RequestWatch } from './unseen-libraries.ts'

let record: RecordRequest | undefined
const recorded = new WeakSet<object>()

/** Has every request recorded that may ask a model something, by its path. A later call replaces `next`. */
export function recordModelRequests(next: RecordRequest): void {
  record = next
  listen()
}

/** @param prepare is called with the first of them, and calls {@link recordModelRequests} */
export function prepareForModelRequests(prepare: () => unknown): void {
  const later: RecordRequest = (kind, request) => {
    prepare()
    return record !== later && record?.(kind, request) === true
  }
  recordModelRequests(later)
}

/** Looks at a request. Set while requests are watched. */
let look: RequestWatch | undefined

/** Reports libraries that are not recorded, from the first request on. A later call replaces it. */
export function reportUnseen(watch: () => RequestWatch): void {
  look = (...sent) => {
    look = watch()
    look(...sent)
  }
  listen()
}

/** Handles a request that Node publishes. */
type Step = (kind: WireKind, request: never) => void

const offer: Step = (kind, request) => {
  const { method, path } = request as { readonly method: unknown; readonly path: unknown }
  const isAsked = (method === 'POST' && isModelPath(path)) || isChannelPath(path)
  if (isAsked && record?.(kind, request)) recorded.add(request)
}

const inspect: Step = (kind, request) => {
  if (kind === 'fetch' || kind === 'http') look?.(kind, { request }, recorded.has(request))
}

/** The headers of a request of `node:http` are known only when it was sent. */
const CHANNELS: readonly (readonly [channel: string, kind: WireKind, steps: readonly Step[]])[] = [
  ['undici:request:create', 'fetch', [offer, inspect]],
  ['http.client.request.created', 'http', [offer]],
  ['http.client.request.start', 'http', [inspect]],
  // From Node 22.17 on.
  ['http2.client.stream.created', 'http2', [offer]],
]

let isListening = false

function listen(): void {
  if (isListening) return
  isListening = true
  for (const [channel, kind, steps] of CHANNELS) {
    subscribe(channel, (message) => {
      const request = requestOf(message as Published)
      for (const step of steps) attempt('look at a request', step, kind, request)
    })
  }
}

interface Published {
  readonly request?: unknown
  readonly stream?: { readonly session?: object }
  readonly headers?: Readonly<Record<string, unknown>>
}

/** A request of HTTP/2 is its stream, with the headers that it is made with. Undici publishes its own itself. */
function requestOf({ request, stream, headers }: Published): never {
  return (request ?? {
    method: isOfUndici(stream?.session) ? undefined : headers?.[':method'],
    path: headers?.[':path'],
    headers,
    stream,
  }) as never
}

function isOfUndici(session: object = {}): boolean {
  return Object.getOwnPropertySymbols(session).some(({ description }) => description === 'client')
}
