import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { overrideMethod } from '@svc/core/override-method'
import { asRecord, type Fields, isMethod, isObject, isPromise, type Method } from '../gen-ai/read.ts'
import { MethodObserver } from '../patch/method-observer.ts'
import { type SettledHandler, tapPromise } from '../patch/tap-promise.ts'
import { startCall } from '../patch/wrap-method.ts'
import { describeCommand } from './commands.ts'

const SCOPE = '@svc/instrumentation-bedrock'

/** Observers of commands that are being sent. */
const observersByCommand = new WeakMap<object, SettledHandler>()

/**
 * Wraps `send`. While it runs, the command's `resolveMiddleware` returns an observed handler, where the response still
 * has its headers and callbacks work like promises.
 *
 * @param methodFor describes a command; undefined if it is not recorded
 */
export function wrapSend(send: Method, methodFor = describeCommand): Method {
  return function (...args) {
    const [command, ...rest] = args
    const started = attempt('begin a span', () => {
      const method = methodFor(command)
      const started = method && startCall(this, args, SCOPE, method)
      return started && { ...started, observer: new MethodObserver(started.call, method, started.info.signal) }
    })
    if (!started || !isObject(command)) return send.apply(this, args)
    const { call, observer } = started
    // Callbacks run in the caller's context, not in that of the call.
    const outside = rest.map((arg) => (isMethod(arg) ? context.bind(context.active(), arg) : arg))
    const within = () => call.run(() => send.call(this, command, ...outside))
    if (!call.recording) return within()
    observersByCommand.set(command, withResponseHeaders(observer))
    try {
      const promise = withObservedMiddleware(command, within)
      if (!observersByCommand.delete(command)) return promise
      // A wrapper in between may send the command later. The result of a callback is unknown then.
      if (!isPromise(promise)) call.end()
      return tapPromise(promise, observer)
    } catch (error) {
      observersByCommand.delete(command)
      observer.error(error)
      throw error
    }
  }
}

/** Calls `work` while the command resolves to an observed handler, then restores the command. */
function withObservedMiddleware<T>(command: Fields, work: () => T): T {
  const existing = Object.getOwnPropertyDescriptor(command, 'resolveMiddleware')
  const { resolveMiddleware } = command
  if (!isMethod(resolveMiddleware) || existing || !Object.isExtensible(command)) return work()
  const observedMiddleware: Method = (...args) => {
    const handler = resolveMiddleware.apply(command, args)
    return isMethod(handler) ? wrapHandler(handler) : handler
  }
  overrideMethod(command, 'resolveMiddleware', observedMiddleware)
  try {
    return work()
  } finally {
    Reflect.deleteProperty(command, 'resolveMiddleware')
  }
}

/** Wraps a handler, which clients may cache for all commands of a class. */
function wrapHandler(handler: Method): Method {
  return function (command, ...rest) {
    const result = handler.call(this, command, ...rest)
    const observer = isObject(command) ? observersByCommand.get(command) : undefined
    if (!observer || !isObject(command)) return result
    observersByCommand.delete(command)
    return tapPromise(result, observer)
  }
}

/** Adds the headers of the response to the output. */
function withResponseHeaders(observer: MethodObserver): SettledHandler {
  return {
    value(result) {
      const { output, response } = asRecord(result)
      observer.value({ ...asRecord(output), headers: asRecord(response).headers })
    },
    error: (reason) => observer.error(reason),
  }
}
