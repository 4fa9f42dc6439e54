import { subscribe } from 'node:diagnostics_channel'
import { attempt } from '@svc/core/attempt'
import type { Environment } from '@svc/core/environment'
import { unseenLibraries } from './late-parts.ts'
import type { RequestWatch } from './unseen-libraries.ts'

/**
 * Reports libraries that the hook cannot instrument: Node publishes each outgoing request on a diagnostics channel, and
 * the check is loaded with the first one.
 *
 * @param names the instrumentations that run
 */
export function reportUnseen(names: readonly string[], env: Environment): void {
  let watch: RequestWatch | undefined
  const loaded = () => {
    watch ??= unseenLibraries(names, env)
    return watch
  }
  const listen = <Message>(channel: string, look: (message: Message) => void) =>
    subscribe(channel, (message) => void attempt('look at a request', () => look(message as Message)))
  listen<Parameters<RequestWatch['fetch']>[0]>('undici:request:create', (message) => loaded().fetch(message))
  listen<Parameters<RequestWatch['http']>[0]>('http.client.request.start', (message) => loaded().http(message))
}
