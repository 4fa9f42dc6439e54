import { type Context, context, createContextKey } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { flatContext } from '@svc/core/flat-context'
import { asArray, asRecord } from '../gen-ai/read.ts'
import { getPrototype, replaceMethod } from '../patch/replace-method.ts'
import { wrapSteps } from '../patch/wrap-steps.ts'
import { type AnswerTaker, withAnswerTaker } from '../record/answer-taker.ts'
import { suppressCalls } from '../record/suppress.ts'
import { getRun } from './runs.ts'

const MODEL_CALL = createContextKey('svc.langchain.model-call')

interface ModelCall {
  /** Whether a handler records the call. */
  isRecorded: boolean
  /** Takes what the provider's client reads of the answer. */
  taker?: AnswerTaker | undefined
}

/**
 * Called when a handler records the model call of this context, so that the provider's client need not.
 *
 * @param taker takes what the client reads of the answer. Default: nobody
 */
export function markModelCallRecorded(active: Context, taker?: AnswerTaker): void {
  const call = active.getValue(MODEL_CALL) as ModelCall | undefined
  if (!call) return
  call.isRecorded = true
  call.taker ??= taker
}

/**
 * Runs the calls of a model class, `BaseChatModel` or `BaseLLM`, in a context in which provider clients create no span
 * once a handler records the call.
 *
 * @param isRecordedElsewhere whether another instrumentation records all calls
 */
export function followModel(model: unknown, isRecordedElsewhere = false): boolean {
  const prototype = getPrototype(model)
  const plain = replaceMethod(prototype, '_generateUncached', (original) => {
    return function (...args) {
      const isRecordedByHandler =
        isRecordedElsewhere ||
        (attempt('find the runs of a model', () => asArray(args[RUN_MANAGERS]).some(hasRun)) ?? false)
      return context.with(modelCallContext(isRecordedByHandler), () => original.apply(this, args))
    }
  })
  const streamed = replaceMethod(prototype, '_streamIterator', (original) => {
    return function (...args) {
      const iterator = original.apply(this, args)
      const modelContext = modelCallContext(isRecordedElsewhere)
      wrapSteps(iterator, (_, step) => context.with(modelContext, step))
      return iterator
    }
  })
  return plain || streamed
}

/** The index of the run managers among the arguments; they are passed if a cache was checked first. */
const RUN_MANAGERS = 3

function hasRun(manager: unknown): boolean {
  return getRun(asRecord(manager).runId) !== undefined
}

function modelCallContext(claimed = false): Context {
  const call: ModelCall = { isRecorded: claimed }
  // LangChain has no callbacks for embeddings.
  const recorded = (operation: string) => operation !== 'embeddings' && call.isRecorded
  const suppressed = suppressCalls(flatContext(context.active()), recorded).setValue(MODEL_CALL, call)
  return withAnswerTaker(suppressed, () => call.taker)
}
