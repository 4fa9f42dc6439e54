import { asRecord } from '../../gen-ai/read.ts'
import { type Load, ownMethod, patchMethods } from '../../patch/patch-methods.ts'

/** `RealtimeSession`, and the connection that it uses on a server. Each file exports one of them. */
export function patchRealtimeAgents(exports: unknown, load: Load): boolean {
  const { RealtimeSession, OpenAIRealtimeWebSocket: connection } = asRecord(exports)
  // Inherited from what other connections use, too.
  for (const method of ['emit', '_onMessage', 'requestResponse', '_onError']) ownMethod(connection, method)
  const observing = () => load().observing
  return [
    patchMethods(RealtimeSession, ['connect'], observing),
    patchMethods(connection, ['emit', '_onMessage', 'sendEvent', 'requestResponse', '_onError', 'close'], observing),
  ].includes(true)
}
