import { subscribe } from 'node:diagnostics_channel'
import { attempt } from '@svc/core/attempt'
import type { Environment } from '@svc/core/environment'
import { unseenLibraries } from './late-parts.ts'
import type { RequestWatch } from './unseen-libraries.ts'

/** Returns the watch of this process, made with the first request. */
let watch: (() => RequestWatch) | undefined

/**
 * Reports libraries that the hook cannot instrument: Node publishes each outgoing request on a diagnostics channel, and
 * the check is loaded with the first one. A later call replaces the names.
 *
 * @param names the instrumentations that run; undefined for all
 */
export function reportUnseen(names: readonly string[] | undefined, env: Environment): void {
  const isListening = watch !== undefined
  let made: RequestWatch | undefined
  watch = () => {
    made ??= unseenLibraries(names, env)
    return made
  }
  if (isListening) return
  const listen = <Message>(channel: string, look: (message: Message) => void) =>
    subscribe(channel, (message) => void attempt('look at a request', () => look(message as Message)))
  listen<Parameters<RequestWatch['fetch']>[0]>('undici:request:create', (message) => watch?.().fetch(message))
  listen<Parameters<RequestWatch['http']>[0]>('http.client.request.start', (message) => watch?.().http(message))
}
