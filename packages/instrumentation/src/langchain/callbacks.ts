import { attempt } from '@svc/core/attempt'
import { asRecord } from '../gen-ai/read.ts'
import type { RunRecorderOptions } from './attribute-mapping.ts'
import { readConversation, readModelRequest, readPrompts, readToolRequest } from './read-run.ts'
import { RunRecorder } from './recorder.ts'
import { eventDelta, tokenDelta } from './token-accumulator.ts'

type Callback = (...args: readonly unknown[]) => void

/**
 * Creates the callbacks of a LangChain handler that records runs. The order of arguments is LangChain's
 * (`BaseCallbackHandler` of `@langchain/core/callbacks/base`). They never throw.
 */
export function createCallbacks(options: RunRecorderOptions): Readonly<Record<string, Callback>> {
  const recorder = new RunRecorder(options)
  return withoutThrowing({
    handleChainStart: (chain, inputs, id, parentId, tags, metadata, _type, runName) =>
      recorder.chain({ id, parentId, tags, metadata, runName }, chain, inputs),
    handleChainEnd: (outputs, id, _parentId, _tags, late) => recorder.chainEnd(id, outputs, late),
    handleChainError: (error, id, _parentId, _tags, late) => recorder.chainError(id, error, late),
    handleChatModelStart: (model, messages, id, parentId, extra, tags, metadata, runName) =>
      recorder.model(
        { id, parentId, tags, metadata, runName },
        readModelRequest(model, readConversation(messages), { chat: true, extra, metadata, runName }),
      ),
    handleLLMStart: (model, prompts, id, parentId, extra, tags, metadata, runName) =>
      recorder.model(
        { id, parentId, tags, metadata, runName },
        readModelRequest(model, readPrompts(prompts), { chat: false, extra, metadata, runName }),
      ),
    handleLLMNewToken: (token, _index, id, _parentId, _tags, fields) => recorder.token(id, tokenDelta(token, fields)),
    // Called instead of handleLLMNewToken if the application uses `streamEvents` version 3.
    handleChatModelStreamEvent: (event, id) => recorder.token(id, eventDelta(asRecord(event))),
    handleLLMEnd: (result, id) => recorder.modelEnd(id, result),
    handleLLMError: (error, id) => recorder.error(id, error),
    handleToolStart: (tool, input, id, parentId, tags, metadata, runName, callId) =>
      recorder.tool({ id, parentId, tags, metadata, runName }, readToolRequest(tool, input, { callId, runName })),
    handleToolEnd: (output, id) => recorder.toolEnd(id, output),
    handleToolError: (error, id) => recorder.error(id, error),
    handleRetrieverStart: (retriever, query, id, parentId, tags, metadata, runName) =>
      recorder.retriever({ id, parentId, tags, metadata, runName }, retriever, query),
    handleRetrieverEnd: (documents, id) => recorder.retrieverEnd(id, documents),
    handleRetrieverError: (error, id) => recorder.error(id, error),
    handleAgentAction: (action, id) => recorder.agentAction(id, action),
    handleAgentEnd: (_finish, id) => recorder.agentEnd(id),
  })
}

function withoutThrowing(callbacks: Readonly<Record<string, Callback>>): Record<string, Callback> {
  const guardedEntries = Object.entries(callbacks).map(([name, callback]) => {
    const what = `record a run (${name})`
    const guarded: Callback = (...args) => attempt(what, () => callback(...args))
    return [name, guarded] as const
  })
  return Object.fromEntries(guardedEntries)
}
