import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { parsedJson } from '../../gen-ai/parts.ts'
import { asRecord, type Fields, isMethod, isObject, isPromise, type Method } from '../../gen-ai/read.ts'
import { overrideMethod } from '../../patch/override-method.ts'
import type { Wrappers } from '../../patch/patch-methods.ts'
import { tapPromise } from '../../patch/tap-promise.ts'
import { Session } from '../../realtime/session.ts'
import { isSuppressed } from '../../record/suppress.ts'
import { whom } from '../whom.ts'
import { LiveExchange } from './exchange.ts'

const SCOPE = '@svc/instrumentation-google-genai'

/** What observes `ai.live`: its connections are made by a factory, which is given the callbacks. */
export const observingLive: Wrappers = {
  connect: (own) =>
    function (...args) {
      const followed: { session?: Session } = {}
      const live = attempt('follow a live session', () => observedLive(this, args[0], followed)) ?? this
      const connecting = own.apply(live, args)
      if (!isPromise(connecting)) return connecting
      return tapPromise(connecting, { value: () => {}, error: (reason) => followed.session?.fail(reason) })
    },
}

/** The same object, with another factory in front of its own. */
function observedLive(live: unknown, parameters: unknown, followed: { session?: Session }): unknown {
  if (!isObject(live) || isSuppressed(context.active(), 'generate_content')) return undefined
  const { webSocketFactory: factory } = live
  const { create } = asRecord(factory)
  if (!isMethod(create)) return undefined
  const observed: Method = (url, headers, callbacks, ...rest) => {
    const session = attempt('begin a session', () => begin(live, asRecord(parameters)))
    if (!session) return create.call(factory, url, headers, callbacks, ...rest)
    followed.session = session
    const connection = create.call(factory, url, headers, observedCallbacks(callbacks, session), ...rest)
    attempt('follow a connection', () => followConnection(connection, session))
    return connection
  }
  return Object.create(live, { webSocketFactory: { value: { create: observed } } })
}

function begin(live: Fields, parameters: Fields): Session | undefined {
  const { model, attributes, secrets } = whom(asRecord(live.apiClient), parameters, {})
  const session = new Session({
    scope: SCOPE,
    name: 'live',
    model,
    attributes,
    secrets,
    exchange: (within) => new LiveExchange({ scope: SCOPE, context: within, model, attributes }),
  })
  return session.recording ? session : undefined
}

function observedCallbacks(callbacks: unknown, session: Session): unknown {
  const observed = (name: string, follow: (event: Fields) => void): Method => {
    const own = asRecord(callbacks)[name]
    return function (event, ...rest) {
      attempt(`follow ${name}`, () => follow(asRecord(event)))
      return isMethod(own) ? session.run(() => own.call(this, event, ...rest)) : undefined
    }
  }
  return {
    ...asRecord(callbacks),
    onmessage: observed('onmessage', ({ data }) => session.receive(asRecord(parsedJson(textOf(data))))),
    onerror: observed('onerror', ({ error, message }) => session.connectionFailed(error ?? message)),
    onclose: observed('onclose', (event) => session.closed(event)),
  }
}

/** A browser has blobs, which are not read. */
function textOf(data: unknown): string {
  if (data instanceof ArrayBuffer) return new TextDecoder().decode(data)
  return typeof data === 'string' || data instanceof Uint8Array ? String(data) : ''
}

function followConnection(connection: unknown, session: Session): void {
  if (!isObject(connection)) return
  session.endWithReader(connection)
  const before = (name: string, follow: (argument: unknown) => void) => {
    const own = connection[name]
    if (!isMethod(own)) return
    overrideMethod(connection, name, (...args) => {
      attempt(`follow ${name}`, () => follow(args[0]))
      return own.apply(connection, args)
    })
  }
  before('send', (message) => session.send(asRecord(parsedJson(message))))
  before('close', () => session.closing())
}
