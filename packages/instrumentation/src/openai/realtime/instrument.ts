import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { asRecord, type Fields, isMethod, isObject, type Method } from '../../gen-ai/read.ts'
import { callBefore } from '../../patch/call-before.ts'
import type { Wrappers } from '../../patch/patch-methods.ts'
import type { SessionSpan } from '../../realtime/session.ts'
import { isSuppressed } from '../../record/suppress.ts'
import { startRealtimeSession } from './session.ts'

const sessions = new WeakMap<object, SessionSpan>()

/** Server events arrive at `_emit`, connection errors at `_onError`. */
export const wrappers: Wrappers = {
  _emit: (original) =>
    function (...args) {
      const session = getSession(this)
      if (!session) return original.apply(this, args)
      const [name, event] = args
      // Each event is emitted twice: as `event`, and under its own name.
      if (name === 'event') attempt('follow a session', () => session.receive(asRecord(event)))
      else if (isRecovering(this)) attempt('follow a connection', () => followRecovery(session, args))
      return session.run(() => original.apply(this, args))
    },
  _onError: (original) =>
    callBefore(original, 'follow an error', (client, [event, message, cause]) => {
      if (!event) getSession(client)?.connectionFailed(cause ?? message)
    }),
  send: wrapSend,
  // Another method that sends an event.
  sendResponseCreate: wrapSend,
  close: (original) => callBefore(original, 'follow a session', (client) => getSession(client)?.closeRequested()),
}

function wrapSend(original: Method): Method {
  return callBefore(original, 'follow a session', (client, [event]) => getSession(client)?.send(asRecord(event)))
}

function getSession(client: unknown): SessionSpan | undefined {
  return isObject(client) ? sessions.get(client) : undefined
}

/** Starts the span of a session, which ends with its connection. */
export function observeSession(client: object): void {
  if (!isObject(client) || isSuppressed(context.active(), 'chat')) return
  const { url, socket } = client
  const scope = '@svc/instrumentation-openai'
  const session = startRealtimeSession({ scope, url: url instanceof URL ? url : undefined })
  if (!session.recording) return
  sessions.set(client, session)
  session.endWithReader(client)
  const { addEventListener } = asRecord(socket)
  if (!isMethod(addEventListener)) return
  addEventListener.call(socket, 'close', (event: unknown) => {
    if (!isRecovering(client)) attempt('end a session', () => session.closed(asRecord(event)))
  })
}

/** From version 7 on a client may reconnect by itself; it then emits `close` when it gives up. */
function isRecovering(client: unknown): boolean {
  return asRecord(client)._recovery !== undefined
}

function followRecovery(session: SessionSpan, [name, ...args]: readonly unknown[]): void {
  if (name === 'close') session.closed({ code: args[0], reason: args[1] } as Fields)
  else if (name === 'reconnecting') session.connectionLost()
}
