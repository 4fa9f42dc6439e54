import { subscribe } from 'node:diagnostics_channel'
import { attempt } from '@svc/core/attempt'
import type { RequestMessage, RequestWatch } from './unseen-libraries.ts'

const CHANNELS = [
  ['undici:request:create', 'fetch'],
  ['http.client.request.start', 'http'],
] as const

/** Looks at a request. Set while requests are watched. */
let look: RequestWatch | undefined

/**
 * Reports libraries that the hook cannot instrument: Node publishes each outgoing request on a diagnostics channel, and
 * the check is made with the first one. A later call replaces it.
 */
export function reportUnseen(watch: () => RequestWatch): void {
  const isListening = look !== undefined
  look = (kind, message) => {
    look = watch()
    look(kind, message)
  }
  if (isListening) return
  for (const [channel, kind] of CHANNELS) {
    subscribe(channel, (message) => {
      if (look) attempt('look at a request', look, kind, message as RequestMessage)
    })
  }
}
