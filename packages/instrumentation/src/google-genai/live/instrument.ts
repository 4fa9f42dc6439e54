import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { overrideMethod } from '@svc/core/override-method'
import { parseJson } from '../../gen-ai/parts.ts'
import { asRecord, type Fields, isMethod, isObject, isPromise, type Method } from '../../gen-ai/read.ts'
import { callBefore } from '../../patch/call-before.ts'
import type { Wrappers } from '../../patch/patch-methods.ts'
import { tapPromise } from '../../patch/tap-promise.ts'
import { SessionSpan } from '../../realtime/session.ts'
import { isSuppressed } from '../../record/suppress.ts'
import { describeClient } from '../describe-client.ts'
import { LiveProtocol } from './protocol.ts'

const SCOPE = '@svc/instrumentation-google-genai'

/** Wraps `ai.live.connect`. Connections are created by a factory, which receives the callbacks. */
export const liveWrappers: Wrappers = {
  connect: (original) =>
    function (...args) {
      const followed: { session?: SessionSpan } = {}
      const live = attempt('follow a live session', () => withObservedFactory(this, args[0], followed)) ?? this
      const connecting = original.apply(live, args)
      if (!isPromise(connecting)) return connecting
      return tapPromise(connecting, { value: () => {}, error: (reason) => followed.session?.fail(reason) })
    },
}

/** Returns the same object with a wrapped factory. */
function withObservedFactory(live: unknown, parameters: unknown, followed: { session?: SessionSpan }): unknown {
  if (!isObject(live) || isSuppressed(context.active(), 'generate_content')) return undefined
  const { webSocketFactory: factory } = live
  const { create } = asRecord(factory)
  if (!isMethod(create)) return undefined
  const wrapped: Method = (url, headers, callbacks, ...rest) => {
    const session = attempt('begin a session', () => startSession(live, asRecord(parameters)))
    if (!session) return create.call(factory, url, headers, callbacks, ...rest)
    followed.session = session
    const connection = create.call(factory, url, headers, wrapCallbacks(callbacks, session), ...rest)
    attempt('follow a connection', () => followConnection(connection, session))
    return connection
  }
  return Object.create(live, { webSocketFactory: { value: { create: wrapped } } })
}

function startSession(live: Fields, parameters: Fields): SessionSpan | undefined {
  const { model, attributes, secrets } = describeClient(asRecord(live.apiClient), parameters, {})
  const session = new SessionSpan({
    scope: SCOPE,
    name: 'live',
    model,
    attributes,
    secrets,
    createProtocol: (within) => new LiveProtocol({ scope: SCOPE, context: within, model, attributes }),
  })
  return session.recording ? session : undefined
}

function wrapCallbacks(callbacks: unknown, session: SessionSpan): unknown {
  const wrapped = (name: string, follow: (event: Fields) => void): Method => {
    const original = asRecord(callbacks)[name]
    return function (event, ...rest) {
      attempt(`follow ${name}`, () => follow(asRecord(event)))
      return isMethod(original) ? session.run(() => original.call(this, event, ...rest)) : undefined
    }
  }
  return {
    ...asRecord(callbacks),
    onmessage: wrapped('onmessage', ({ data }) => session.receive(asRecord(parseJson(readText(data))))),
    onerror: wrapped('onerror', ({ error, message }) => session.connectionFailed(error ?? message)),
    onclose: wrapped('onclose', (event) => session.closed(event)),
  }
}

/** Blobs, which browsers send, are not read. */
function readText(data: unknown): string {
  if (data instanceof ArrayBuffer) return new TextDecoder().decode(data)
  return typeof data === 'string' || data instanceof Uint8Array ? String(data) : ''
}

function followConnection(connection: unknown, session: SessionSpan): void {
  if (!isObject(connection)) return
  session.endWithReader(connection)
  const before = (name: string, follow: (argument: unknown) => void) => {
    const original = connection[name]
    if (!isMethod(original)) return
    overrideMethod(
      connection,
      name,
      callBefore(original, `follow ${name}`, (_, [argument]) => follow(argument)),
    )
  }
  before('send', (message) => session.send(asRecord(parseJson(message))))
  before('close', () => session.closeRequested())
}
