import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { asRecord, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { replaceMethod } from '../patch/replace-method.ts'
import { whileLookingUp } from './looked-up.ts'
import { followModel } from './model-calls.ts'
import { runOf } from './run.ts'
import { runAt } from './runs.ts'
import { followReaders, followStreamsOf } from './streams.ts'
import { followWork } from './work.ts'

/**
 * Does the work of runs in their context, so that spans of the application find their place; keeps clients of
 * providers from recording a call that is recorded; and notices when the reader of a stream leaves. Whether runs are
 * recorded is the business of handlers. Never throws.
 *
 * @param exports what a module of `@langchain/core` gave
 * @returns whether there was something that was not followed yet
 */
export function followRuns(exports: unknown): boolean {
  const { AsyncLocalStorageProviderSingleton: provider, ...rest } = asRecord(exports)
  const { BaseChatModel, BaseLLM, BaseRetriever, IterableReadableStream, StructuredTool, ...others } = rest
  const parts = [
    () => replaceMethod(isObject(provider) ? Object.getPrototypeOf(provider) : undefined, 'runWithConfig', inRun),
    () => followModel(BaseChatModel),
    () => followModel(BaseLLM),
    () => followWork(StructuredTool, 'call', '_call'),
    () => followWork(BaseRetriever, 'invoke', '_getRelevantDocuments'),
    () => followReaders(IterableReadableStream),
    ...Object.values(others).map((other) => () => followStreamsOf(other)),
  ]
  return parts.map((part) => attempt('follow the runs of LangChain', part)).includes(true)
}

/** LangChain calls the function of a lambda or a tool with the configuration of its run. */
function inRun(own: Method): Method {
  return function (config, callback, ...more) {
    const run = attempt('find a run', () => runAt(runIdIn(config)))
    const active = context.active()
    const call = () =>
      isMethod(callback)
        ? whileLookingUp((within) => own.apply(this, [config, within, ...more]), callback)
        : own.apply(this, [config, callback, ...more])
    return !run || runOf(active) === run ? call() : context.with(run.context, call)
  }
}

function runIdIn(config: unknown): unknown {
  return asRecord(asRecord(config).callbacks)._parentRunId
}
