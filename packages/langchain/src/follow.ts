import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { BaseLLM } from '@langchain/core/language_models/llms'
import { BaseRetriever } from '@langchain/core/retrievers'
import * as runnables from '@langchain/core/runnables'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'
import { StructuredTool } from '@langchain/core/tools'
import { IterableReadableStream } from '@langchain/core/utils/stream'
import { followRuns } from '@svc/instrumentation/langchain'

/**
 * Patches LangChain as the preload does, except that it adds no handler: spans of the application become children of
 * their run, provider clients do not record a call again, and a stream that the reader leaves ends its runs.
 */
export function followLangChain(): void {
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
