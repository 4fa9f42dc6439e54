import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { asRecord, type Fields, isMethod, isObject, isPromise, type Method } from '../gen-ai/read.ts'
import { MethodObserver } from '../patch/method-observer.ts'
import { overrideMethod } from '../patch/override-method.ts'
import { type SettledHandler, tapPromise } from '../patch/tap-promise.ts'
import { begin } from '../patch/wrap-method.ts'
import { methodOf } from './commands.ts'

const SCOPE = '@svc/instrumentation-bedrock'

/** Who waits for the command that is being sent. */
const waiting = new WeakMap<object, SettledHandler>()

/**
 * Records what is sent. The command is asked for what sends it (`resolveMiddleware`) while `send` runs, and what it then
 * gives is observed: there the response is still seen, with its headers, and a callback is no different from a promise.
 *
 * @param methodFor how a command is observed; undefined where it is not
 */
export function observedSend(send: Method, methodFor = methodOf): Method {
  return function (...args) {
    const [command, ...rest] = args
    const begun = attempt('begin a span', () => {
      const method = methodFor(command)
      const started = method && begin(this, args, SCOPE, method)
      return started && { ...started, follower: new MethodObserver(started.call, method, started.asked.signal) }
    })
    if (!begun || !isObject(command)) return send.apply(this, args)
    const { call, follower } = begun
    // Callbacks belong to the caller and not to the call.
    const outside = rest.map((arg) => (isMethod(arg) ? context.bind(context.active(), arg) : arg))
    const within = () => call.run(() => send.call(this, command, ...outside))
    if (!call.recording) return within()
    waiting.set(command, answerOf(follower))
    try {
      const promise = lending(command, within)
      if (!waiting.delete(command)) return promise
      // Whoever stands in between may send it later. Of what then goes to a callback nothing is known.
      if (!isPromise(promise)) call.end()
      return tapPromise(promise, follower)
    } catch (error) {
      waiting.delete(command)
      follower.error(error)
      throw error
    }
  }
}

/** Has a command resolve to something observed while `work` runs; after that it is as it was. */
function lending<T>(command: Fields, work: () => T): T {
  const own = Object.getOwnPropertyDescriptor(command, 'resolveMiddleware')
  const { resolveMiddleware } = command
  if (!isMethod(resolveMiddleware) || own || !Object.isExtensible(command)) return work()
  const lent: Method = (...args) => {
    const handler = resolveMiddleware.apply(command, args)
    return isMethod(handler) ? observedHandler(handler) : handler
  }
  overrideMethod(command, 'resolveMiddleware', lent)
  try {
    return work()
  } finally {
    Reflect.deleteProperty(command, 'resolveMiddleware')
  }
}

/** Clients may keep a handler for all commands of its class. */
function observedHandler(handler: Method): Method {
  return function (command, ...rest) {
    const result = handler.call(this, command, ...rest)
    const observer = isObject(command) ? waiting.get(command) : undefined
    if (!observer || !isObject(command)) return result
    waiting.delete(command)
    return tapPromise(result, observer)
  }
}

/** Beside the output stands the response it was read from. */
function answerOf(follower: MethodObserver): SettledHandler {
  return {
    value(result) {
      const { output, response } = asRecord(result)
      follower.value({ ...asRecord(output), headers: asRecord(response).headers })
    },
    error: (reason) => follower.error(reason),
  }
}
