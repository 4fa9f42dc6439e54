import { exportOf } from '../../gen-ai/read.ts'
import { defineOwnMethod, patchMethods, whenFirstSet } from '../../patch/patch-methods.ts'
import { observeSession, wrappers } from './instrument.ts'

/** Patches both clients of realtime sessions. Each file exports one of them. */
export function patchRealtime(exports: unknown): boolean {
  return ['OpenAIRealtimeWS', 'OpenAIRealtimeWebSocket']
    .map((name) => {
      const client = exportOf(exports, name)
      // Inherited from an emitter that other parts of the library share.
      for (const method of ['_emit', '_onError']) defineOwnMethod(client, method)
      const methods = ['_emit', '_onError', 'send', 'sendResponseCreate', 'close']
      const isPatched = patchMethods(client, methods, wrappers)
      if (isPatched) whenFirstSet(client, 'socket', observeSession)
      return isPatched
    })
    .includes(true)
}
