import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { parsedJson } from '../../gen-ai/parts.ts'
import { asName, asRecord, type Fields, isMethod, isObject } from '../../gen-ai/read.ts'
import { realtimeSession } from '../../openai/realtime/session.ts'
import type { Wrappers } from '../../patch/patch-methods.ts'
import type { Session } from '../../realtime/session.ts'
import { isSuppressed } from '../../record/suppress.ts'

/** The sessions of agents, by their connections. */
const owners = new WeakMap<object, Fields>()
/** What is recorded, by connection: the last session of each. */
const sessions = new WeakMap<object, Followed>()

interface Followed {
  readonly session: Session
  /** An open session must not keep its connection, which may be left: so it is given the name of its agent. */
  readonly speaker: { name: string | undefined }
}

/** A connection that is being asked for a response: it may send the event by a method that is observed, or not. */
let requesting: unknown

export const observing: Wrappers = {
  /** Of a `RealtimeSession`. */
  connect: (own) =>
    function (...args) {
      const { transport } = asRecord(this)
      if (isObject(this) && isObject(transport)) owners.set(transport, this)
      return own.apply(this, args)
    },
  emit: (own) =>
    function (...args) {
      const [name, status] = args
      if (name === 'connection_change') attempt('follow a connection', () => followConnection(this, status))
      const session = sessionOf(this)
      return session ? session.run(() => own.apply(this, args)) : own.apply(this, args)
    },
  // The events that are emitted lack what the library does not know: details of tokens, in its first versions.
  _onMessage: (own) =>
    function (...args) {
      attempt('follow a session', () => {
        const followed = isObject(this) ? sessions.get(this) : undefined
        if (!followed) return
        followed.speaker.name = agentOf(this)
        followed.session.receive(asRecord(parsedJson(String(asRecord(args[0]).data))))
      })
      return own.apply(this, args)
    },
  sendEvent: (own) =>
    function (...args) {
      const event = asRecord(args[0])
      const isKnown = requesting === this && event.type === 'response.create'
      if (!isKnown) attempt('follow a session', () => sessionOf(this)?.send(event))
      return own.apply(this, args)
    },
  requestResponse: (own) =>
    function (...args) {
      attempt('follow a session', () => sessionOf(this)?.send({ type: 'response.create', response: args[0] }))
      const before = requesting
      requesting = this
      try {
        return own.apply(this, args)
      } finally {
        requesting = before
      }
    },
  _onError: (own) =>
    function (...args) {
      const { error, message } = asRecord(args[0])
      attempt('follow an error', () => sessionOf(this)?.connectionFailed(error ?? message ?? args[0]))
      return own.apply(this, args)
    },
  close: (own) =>
    function (...args) {
      attempt('follow a session', () => sessionOf(this)?.closing())
      return own.apply(this, args)
    },
}

function sessionOf(connection: unknown): Session | undefined {
  return isObject(connection) ? sessions.get(connection)?.session : undefined
}

/** The name of the agent that speaks now; others take over. */
function agentOf(connection: unknown): string | undefined {
  const owner = isObject(connection) ? owners.get(connection) : undefined
  return asName(asRecord(owner?.currentAgent).name)
}

function followConnection(connection: unknown, status: unknown): void {
  if (!isObject(connection)) return
  if (status === 'connecting') begin(connection)
  else if (status === 'disconnected') sessionOf(connection)?.closed({})
}

function begin(connection: Fields): void {
  if (isSuppressed(context.active(), 'chat')) return
  const { websocket } = asRecord(connection.connectionState)
  const { url, addEventListener } = asRecord(websocket)
  const speaker = { name: agentOf(connection) }
  const session = realtimeSession({
    scope: '@svc/instrumentation-agents',
    url: typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined,
    model: asName(connection.currentModel),
    agent: () => speaker.name,
  })
  if (!session.recording) return
  sessions.set(connection, { session, speaker })
  session.endWithReader(connection)
  // The library is told after us, and does not tell why.
  if (isMethod(addEventListener)) {
    addEventListener.call(websocket, 'close', (event: unknown) =>
      attempt('end a session', () => session.closed(asRecord(event))),
    )
  }
}
