import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GEN_AI } from '@svc/core/attributes'
import { capturesContent } from '../gen-ai/configure.ts'
import { isObject, isPromise, type Method } from '../gen-ai/read.ts'
import { CallSpan } from '../record/call.ts'
import { isSuppressed } from '../record/suppress.ts'
import { requestContentAttributes } from '../record/write.ts'
import { MethodObserver } from './method-observer.ts'
import type { MethodSpec, RequestInfo, ResponseSpec } from './method-spec.ts'
import type { Wrappers } from './patch-methods.ts'
import { tapPromise } from './tap-promise.ts'

/** Wraps methods that return ordinary promises. The application gets a promise of its own for the same result. */
export function wrapMethods(scope: string, methods: readonly MethodSpec[]): Wrappers {
  return Object.fromEntries(
    methods.map((method) => [method.name, (original: Method) => wrapMethod(original, scope, method)]),
  )
}

function wrapMethod(original: Method, scope: string, method: MethodSpec): Method {
  return function (...args) {
    const started = attempt('begin a span', () => startCall(this, args, scope, method))
    if (!started) return original.apply(this, args)
    return runCall(started.call, method, started.info.signal, () => original.apply(this, args))
  }
}

/** Calls `work` as the call, which ends with what it returns or throws. */
export function runCall(call: CallSpan, method: ResponseSpec, signal: unknown, work: () => unknown): unknown {
  if (!call.recording) return call.run(work)
  const observer = new MethodObserver(call, method, signal)
  try {
    const result = call.run(work)
    // A generator is returned synchronously.
    if (!isPromise(result)) attempt('follow a stream', () => observer.value(result))
    return tapPromise(result, observer)
  } catch (error) {
    observer.error(error)
    throw error
  }
}

/** Starts the span of a call. Returns undefined if the call is not to be recorded. */
export function startCall(owner: unknown, args: readonly unknown[], scope: string, method: MethodSpec) {
  const { operation } = method
  if (!isObject(owner) || method.appliesTo?.(args) === false) return undefined
  const parent = context.active()
  if (operation !== undefined && isSuppressed(parent, operation)) return undefined
  const info: RequestInfo = method.describeRequest(owner, args)
  const { model, tool, agent, dataSource, secrets } = info
  const name = agent === undefined ? info.name : `${operation} ${agent}`
  const attributes = agent === undefined ? info.attributes : { ...info.attributes, [GEN_AI.AGENT_NAME]: agent }
  const call = new CallSpan({
    scope,
    operation,
    ...(method.isVendors && { isVendors: true }),
    name,
    model,
    tool,
    dataSource,
    attributes,
    context: parent,
    ...(secrets ? { secrets } : {}),
  })
  call.signal = info.signal
  if (call.recording && capturesContent()) {
    attempt('read the messages of a request', () =>
      call.setRequest(undefined, requestContentAttributes(info.readContent())),
    )
  }
  return { call, info }
}
