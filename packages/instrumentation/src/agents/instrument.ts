import { attempt } from '@svc/core/attempt'
import { asArray, asRecord, type Fields, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { prototypeOf, replaceMethod } from '../patch/replace-method.ts'
import { enterAmbient } from './ambient.ts'
import { contextWithin, findTraceBy, processor } from './processor.ts'

/**
 * Makes the trace provider of `@openai/agents-core` tell us of every run: workflow, agents, turns, tools, handoffs and
 * guardrails become spans of the global tracer provider. A call of a model is recorded by the client that makes it,
 * where that is instrumented, and here where it is not. The application's own processors stay as they are: ours is
 * told first, and stays when the list is replaced, as the library does itself when it is loaded. Never throws.
 *
 * @param exports what the module of the trace provider gave
 * @returns whether there was a provider class that was not instrumented yet
 */
export function instrumentAgents(exports: unknown): boolean {
  return attempt('instrument @openai/agents', () => patchProvider(asRecord(exports).TraceProvider)) ?? false
}

/**
 * The same for an application that has loaded the library already, where its provider has its processors.
 *
 * @param exports what `import * as agents from '@openai/agents'` gave
 */
export function instrumentLoadedAgents(exports: unknown): boolean {
  const patched = instrumentAgents(exports)
  attempt('hear of runs', () => {
    const { getGlobalTraceProvider } = asRecord(exports)
    const provider = isMethod(getGlobalTraceProvider) ? asRecord(getGlobalTraceProvider()) : {}
    const { registerProcessor } = provider
    if (isMethod(registerProcessor)) registerProcessor.call(provider, processor)
  })
  return patched
}

function patchProvider(provider: unknown): boolean {
  const prototype = prototypeOf(provider)
  const { registerProcessor, setProcessors } = asRecord(prototype)
  if (!isMethod(registerProcessor) || !isMethod(setProcessors)) return false
  replaceMethod(prototype, 'setProcessors', replacing)
  return replaceMethod(prototype, 'registerProcessor', registering)
}

const registered = new WeakSet<object>()

function registering(own: Method): Method {
  return function registerProcessor(...args) {
    if (isObject(this) && !registered.has(this)) {
      arm(this)
      own.call(this, processor)
    }
    return args[0] === processor ? undefined : own.apply(this, args)
  }
}

function replacing(own: Method): Method {
  return function setProcessors(list, ...rest) {
    if (isObject(this)) arm(this)
    const others = asArray(list).filter((each) => each !== processor)
    return own.call(this, Array.isArray(list) ? [processor, ...others] : list, ...rest)
  }
}

function arm(provider: Fields): void {
  if (registered.has(provider)) return
  registered.add(provider)
  const { getCurrentSpan, getCurrentTrace } = provider
  if (!isMethod(getCurrentSpan) || !isMethod(getCurrentTrace)) return
  findTraceBy(() => getCurrentTrace.call(provider))
  attempt('follow the context of runs', () =>
    enterAmbient((active) => {
      const { spanId } = asRecord(getCurrentSpan.call(provider))
      return contextWithin(spanId ?? asRecord(getCurrentTrace.call(provider)).traceId, active)
    }),
  )
}
