import { subscribe } from 'node:diagnostics_channel'
import { attempt } from '@svc/core/attempt'
import type { WireKind } from '@svc/instrumentation/load-recorders'
import { isModelPath } from '@svc/instrumentation/model-path'
import type { RequestWatch } from './unseen-libraries.ts'

/** Records a request. Returns whether it did. */
type RecordRequest = (kind: WireKind, request: never) => boolean

let record: RecordRequest | undefined
const recorded = new WeakSet<object>()

/** Has every request recorded that may ask a model something, by its path. A later call replaces `next`. */
export function recordModelRequests(next: RecordRequest): void {
  const isListening = record !== undefined
  record = next
  if (!isListening) {
    listen('created', (kind, request) => {
      const { method, path } = request as { readonly method: unknown; readonly path: unknown }
      if (method === 'POST' && isModelPath(path) && record?.(kind, request)) recorded.add(request)
    })
  }
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
  const isListening = look !== undefined
  look = (kind, message) => {
    look = watch()
    look(kind, message)
  }
  if (!isListening) {
    listen('start', (kind, request) => {
      look?.(recorded.has(request) ? 'recorded' : kind, { request })
    })
  }
}

/**
 * Node publishes each outgoing request when it is made, and that of `node:http` also when it was sent: its headers are
 * known only then.
 */
function listen(when: 'created' | 'start', tell: (kind: WireKind, request: never) => void): void {
  const on = (channel: string, kind: WireKind) => {
    subscribe(channel, (message) => {
      attempt('look at a request', tell, kind, (message as { readonly request: never }).request)
    })
  }
  on('undici:request:create', 'fetch')
  on(`http.client.request.${when}`, 'http')
}
