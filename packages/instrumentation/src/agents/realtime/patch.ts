import { asRecord } from '../../gen-ai/read.ts'
import { defineOwnMethod, patchMethods } from '../../patch/patch-methods.ts'
import { wrappers } from './instrument.ts'

/** Patches `RealtimeSession` and the WebSocket connection used on servers. Each file exports one of them. */
export function patchRealtimeAgents(exports: unknown): boolean {
  const { RealtimeSession, OpenAIRealtimeWebSocket: connection } = asRecord(exports)
  // Inherited from a base class that other connections share.
  for (const method of ['emit', '_onMessage', 'requestResponse', '_onError']) defineOwnMethod(connection, method)
  return [
    patchMethods(RealtimeSession, ['connect'], wrappers),
    patchMethods(connection, ['emit', '_onMessage', 'sendEvent', 'requestResponse', '_onError', 'close'], wrappers),
  ].includes(true)
}
