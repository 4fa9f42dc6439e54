import { BaseCallbackHandler } from '@langchain/core/callbacks/base'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { BaseLLM } from '@langchain/core/language_models/llms'
import { BaseRetriever } from '@langchain/core/retrievers'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'
import { StructuredTool } from '@langchain/core/tools'
import { IterableReadableStream } from '@langchain/core/utils/stream'
import { createCallbacks, followRuns, HANDLER_NAME } from '@svc/instrumentation/langchain'
import { getSvcTracer } from '@svc/tracing'
import { OBSERVATION_ATTRIBUTES } from './attribute-mapping.ts'
import type { CallbackHandlerParams } from './params.ts'

/**
 * Records the runs of LangChain and LangGraph as observations, with the tracer provider of `@svc/tracing`. Under the
 * preload, which records LangChain by itself, a run with this handler is recorded only by the handler.
 *
 * It never throws. LangChain awaits it, so that spans of the run have the right parent.
 *
 * @example
 * const handler = new CallbackHandler({ sessionId: 'chat-1', tags: ['support'] })
 * await chain.invoke({ question }, { callbacks: [handler] })
 */
export class CallbackHandler extends BaseCallbackHandler {
  readonly name = HANDLER_NAME
  /** Trace id of the run that ended last. */
  last_trace_id: string | null = null
  readonly userId: string | undefined
  readonly sessionId: string | undefined
  readonly tags: readonly string[] | undefined
  readonly version: string | undefined
  readonly traceMetadata: Readonly<Record<string, unknown>> | undefined

  /** @param params values of all traces; invalid ones are dropped, with one warning that names them */
  constructor(params?: CallbackHandlerParams) {
    super({ _awaitHandler: true, raiseError: false })
    this.awaitHandlers = true
    const { userId, sessionId, tags, version, traceMetadata } = params ?? {}
    this.userId = userId
    this.sessionId = sessionId
    this.tags = tags
    this.version = version
    this.traceMetadata = traceMetadata
    const trace = { userId, sessionId, tags, version, metadata: traceMetadata }
    const onRunEnd = (traceId: string) => {
      this.last_trace_id = traceId
    }
    Object.assign(this, createCallbacks({ mapping: OBSERVATION_ATTRIBUTES, getTracer: getSvcTracer, trace, onRunEnd }))
    followLangChain()
  }
}

import * as runnables from '@langchain/core/runnables'

/**
 * Patches LangChain as the preload does, except that it adds no handler: spans of the application become children of
 * their run, provider clients do not record a call again, and a stream that the reader leaves ends its runs.
 */
function followLangChain(): void {
  followRuns({
    ...runnables,
    AsyncLocalStorageProviderSingleton,
    BaseChatModel,
    BaseLLM,
    BaseRetriever,
    IterableReadableStream,
    StructuredTool,
  })
}
