import { type Context, context, createContextKey } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { flatContext } from '@svc/core/flat-context'
import { asArray, asRecord, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { overrideMethod } from '../patch/override-method.ts'
import { prototypeOf, replaceMethod } from '../patch/replace-method.ts'
import { suppressCalls } from '../record/suppress.ts'
import { runAt } from './runs.ts'

const MODEL_CALL = createContextKey('svc.langchain.model-call')

interface ModelCall {
  /** Whether a handler records it. */
  claimed: boolean
}

/** A handler records the call of a model that is made in this context: its provider's client need not. */
export function claimModelCall(active: Context): void {
  const call = active.getValue(MODEL_CALL) as ModelCall | undefined
  if (call) call.claimed = true
}

/**
 * Runs the calls of a model class, `BaseChatModel` or `BaseLLM`, in a context in which the clients of providers make no
 * span of their own, from the moment that a handler records the call.
 *
 * @param byOthers another instrumentation records all calls
 */
export function followModel(model: unknown, byOthers = false): boolean {
  const prototype = prototypeOf(model)
  const plain = replaceMethod(prototype, '_generateUncached', (own) => {
    return function (...args) {
      const begun =
        byOthers || (attempt('find the runs of a model', () => asArray(args[STARTED]).some(isRecorded)) ?? false)
      return context.with(modelCallContext(begun), () => own.apply(this, args))
    }
  })
  const streamed = replaceMethod(prototype, '_streamIterator', (own) => {
    return function (...args) {
      return inContext(modelCallContext(byOthers), own.apply(this, args))
    }
  })
  return plain || streamed
}

/** Where a cache was asked before, the runs are there already. */
const STARTED = 3

function isRecorded(manager: unknown): boolean {
  return runAt(asRecord(manager).runId) !== undefined
}

function modelCallContext(claimed = false): Context {
  const call: ModelCall = { claimed }
  // It has no callback for embeddings.
  const recorded = (operation: string) => operation !== 'embeddings' && call.claimed
  return suppressCalls(flatContext(context.active()), recorded).setValue(MODEL_CALL, call)
}

/** The iterator stays LangChain's own; what it does is done in the context. */
function inContext(around: Context, iterator: unknown): unknown {
  if (!isObject(iterator)) return iterator
  for (const name of ['next', 'return', 'throw']) {
    const own = iterator[name]
    if (!isMethod(own)) continue
    const within: Method = (...args) => context.with(around, () => own.apply(iterator, args))
    overrideMethod(iterator, name, within)
  }
  return iterator
}
