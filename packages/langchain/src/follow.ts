import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { BaseLLM } from '@langchain/core/language_models/llms'
import { BaseRetriever } from '@langchain/core/retrievers'
import * as runnables from '@langchain/core/runnables'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'
import { StructuredTool } from '@langchain/core/tools'
import { IterableReadableStream } from '@langchain/core/utils/stream'
import { followRuns } from '@svc/instrumentation/langchain'

/**
 * What the preload does to LangChain, but for adding a handler: spans of the application lie under the run they belong
 * to, clients of providers do not record a call again, and a stream that is left ends its runs.
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
