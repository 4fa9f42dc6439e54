import { exportOf } from '../../gen-ai/read.ts'
import { ownMethod, patchMethods, whenFirstSet } from '../../patch/patch-methods.ts'
import type { observeSession, observing } from './instrument.ts'

type Load = () => { readonly observing: typeof observing; readonly observeSession: typeof observeSession }

/** Both clients of sessions over a WebSocket. Each file exports one of them. */
export function patchRealtime(exports: unknown, load: Load): boolean {
  return ['OpenAIRealtimeWS', 'OpenAIRealtimeWebSocket']
    .map((name) => {
      const client = exportOf(exports, name)
      // Inherited from an emitter that other parts of the library use, too.
      for (const method of ['_emit', '_onError']) ownMethod(client, method)
      const methods = ['_emit', '_onError', 'send', 'sendResponseCreate', 'close']
      const isPatched = patchMethods(client, methods, () => load().observing)
      if (isPatched) whenFirstSet(client, 'socket', (instance) => load().observeSession(instance))
      return isPatched
    })
    .includes(true)
}
