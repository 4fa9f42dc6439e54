import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { parseJson } from '../../gen-ai/parts.ts'
import { asName, asRecord, type Fields, isMethod, isObject } from '../../gen-ai/read.ts'
import { startRealtimeSession } from '../../openai/realtime/session.ts'
import { callBefore } from '../../patch/call-before.ts'
import type { Wrappers } from '../../patch/patch-methods.ts'
import type { SessionSpan } from '../../realtime/session.ts'
import { isSuppressed } from '../../record/suppress.ts'

/** The agents' session objects, by connection. */
const owners = new WeakMap<object, Fields>()
/** The recorded session, by connection: the last one of each. */
const sessions = new WeakMap<object, ConnectionState>()

interface ConnectionState {
  readonly session: SessionSpan
  /** The name of the agent, in an object of its own: an open session must not keep its connection alive. */
  readonly agent: { name: string | undefined }
}

/** The connection whose `requestResponse` is running: it may call `sendEvent`, or send by other means. */
let requesting: unknown

export const wrappers: Wrappers = {
  /** A method of `RealtimeSession`. */
  connect: (original) =>
    callBefore(original, 'follow a session', (owner) => {
      const { transport } = asRecord(owner)
      if (isObject(owner) && isObject(transport)) owners.set(transport, owner)
    }),
  emit: (original) =>
    function (...args) {
      const [name, status] = args
      if (name === 'connection_change') attempt('follow a connection', () => followConnection(this, status))
      const session = getSession(this)
      return session ? session.run(() => original.apply(this, args)) : original.apply(this, args)
    },
  // Emitted events lack what the library does not know, such as token details in its first versions.
  _onMessage: (original) =>
    callBefore(original, 'follow a session', (connection, [message]) => {
      const state = isObject(connection) ? sessions.get(connection) : undefined
      if (!state) return
      state.agent.name = readAgentName(connection)
      state.session.receive(asRecord(parseJson(String(asRecord(message).data))))
    }),
  sendEvent: (original) =>
    callBefore(original, 'follow a session', (connection, [sent]) => {
      const event = asRecord(sent)
      const isAlreadyReported = requesting === connection && event.type === 'response.create'
      if (!isAlreadyReported) getSession(connection)?.send(event)
    }),
  requestResponse: (original) =>
    function (...args) {
      attempt('follow a session', () => getSession(this)?.send({ type: 'response.create', response: args[0] }))
      const before = requesting
      requesting = this
      try {
        return original.apply(this, args)
      } finally {
        requesting = before
      }
    },
  _onError: (original) =>
    callBefore(original, 'follow an error', (connection, [failure]) => {
      const { error, message } = asRecord(failure)
      getSession(connection)?.connectionFailed(error ?? message ?? failure)
    }),
  close: (original) =>
    callBefore(original, 'follow a session', (connection) => getSession(connection)?.closeRequested()),
}

function getSession(connection: unknown): SessionSpan | undefined {
  return isObject(connection) ? sessions.get(connection)?.session : undefined
}

/** Returns the name of the active agent; a handoff changes it. */
function readAgentName(connection: unknown): string | undefined {
  const owner = isObject(connection) ? owners.get(connection) : undefined
  return asName(asRecord(owner?.currentAgent).name)
}

function followConnection(connection: unknown, status: unknown): void {
  if (!isObject(connection)) return
  if (status === 'connecting') startSession(connection)
  else if (status === 'disconnected') getSession(connection)?.closed({})
}

function startSession(connection: Fields): void {
  if (isSuppressed(context.active(), 'chat')) return
  const { websocket } = asRecord(connection.connectionState)
  const { url, addEventListener } = asRecord(websocket)
  const agent = { name: readAgentName(connection) }
  const session = startRealtimeSession({
    scope: '@svc/instrumentation-agents',
    url: typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined,
    model: asName(connection.currentModel),
    agent: () => agent.name,
  })
  if (!session.recording) return
  sessions.set(connection, { session, agent })
  session.endWithReader(connection)
  // The library's own event comes later and has no reason.
  if (isMethod(addEventListener)) {
    addEventListener.call(websocket, 'close', (event: unknown) =>
      attempt('end a session', () => session.closed(asRecord(event))),
    )
  }
}
