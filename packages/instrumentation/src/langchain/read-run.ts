import { context } from '@opentelemetry/api'
import { own } from '@svc/core/own'
import { readCost } from '../gen-ai/cost.ts'
import { asArray, asName, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import type { ModelRequest, ModelResponse, ToolRequest } from './attribute-mapping.ts'
import { toolNameIn } from './follow-work.ts'
import { isMessage, type LangChainMessage, readMessage, textMessage } from './messages.ts'
import { readUsage, vendorUsage } from './usage.ts'

/** Returns the last part of a class path: `["langchain", "chat_models", "openai", "ChatOpenAI"]`. */
export function readClassName(serialized: unknown): string | undefined {
  return asName(asArray(asRecord(serialized).id).at(-1))
}

interface ModelRunFields {
  readonly chat: boolean
  readonly extra: unknown
  readonly metadata: unknown
  readonly runName: unknown
}

export function readModelRequest(
  serialized: unknown,
  messages: readonly LangChainMessage[],
  { chat, extra, metadata, runName }: ModelRunFields,
): ModelRequest {
  const parameters = asRecord(asRecord(extra).invocation_params)
  const { ls_model_name, ls_provider } = asRecord(metadata)
  const { model, model_name, modelName } = parameters
  return {
    runName: asName(runName),
    className: readClassName(serialized),
    chat,
    model: asName(model) ?? asName(ls_model_name) ?? asName(model_name) ?? asName(modelName),
    provider: asName(ls_provider)?.toLowerCase(),
    parameters,
    messages,
  }
}

/** Reads the messages of the first conversation: each conversation has a run of its own. */
export function readConversation(conversations: unknown): LangChainMessage[] {
  return asArray(asArray(conversations)[0]).map((message) => readMessage(asRecord(message)))
}

export function readPrompts(prompts: unknown): LangChainMessage[] {
  return asArray(prompts).map((prompt) => textMessage('human', prompt))
}

export function readToolRequest(
  serialized: unknown,
  input: unknown,
  { callId, runName }: { readonly callId: unknown; readonly runName: unknown },
): ToolRequest {
  const toolName = toolNameIn(context.active()) ?? asName(asRecord(serialized).name)
  const name = asName(runName) ?? toolName ?? readClassName(serialized) ?? 'tool'
  return { name, callId: asName(callId), input }
}

export function readModelResponse(result: unknown): ModelResponse {
  const { generations, llmOutput } = asRecord(result)
  const generationList = asArray(asArray(generations)[0]).map(asRecord)
  const first = generationList[0] ?? {}
  const { message } = first
  const about = { ...asRecord(first.generationInfo), ...asRecord(asRecord(message).response_metadata) }
  return {
    chat: isMessage(message),
    id: readResponseId(asRecord(message).id),
    model: asName(about.model_name) ?? asName(about.model),
    messages: generationList.map(({ message, text }) =>
      isMessage(message) ? readMessage(message) : textMessage('ai', text),
    ),
    finishReasons: generationList.flatMap((generation) => readFinishReason(generation) ?? []),
    counts: readUsage(asRecord(message), asRecord(llmOutput)),
    cost: readCost(vendorUsage(asRecord(message))),
    served: defined({
      service_tier:
        asName(about.service_tier) ?? asName(asRecord(about.usage).service_tier) ?? asName(readBedrockTier(about)),
      speed: asName(asRecord(about.usage).speed),
    }),
  }
}

/** Bedrock's tier, of a whole answer or of the last event of a stream. */
function readBedrockTier({ metadata, serviceTier = asRecord(metadata).serviceTier }: Fields): unknown {
  return asRecord(serviceTier).type
}

/** Returns the provider's id. If there is none, LangChain uses the id of the run. */
function readResponseId(id: unknown): string | undefined {
  const name = asName(id)
  return name?.startsWith('run-') ? undefined : name
}

/** Reads the finish reason under any vendor's name, newest name last. */
function readFinishReason({ message, generationInfo }: Fields): string | undefined {
  const { response_metadata, additional_kwargs } = asRecord(message)
  const { messageStop } = asRecord(response_metadata)
  for (const container of [response_metadata, messageStop, generationInfo, additional_kwargs]) {
    for (const name of REASONS) {
      const reason = asName(own(asRecord(container), name))
      if (reason) return reason
    }
  }
  return undefined
}

const REASONS = ['finish_reason', 'stop_reason', 'finishReason', 'stopReason', 'done_reason']

export function readToolResult(output: unknown): { readonly result: unknown; readonly callId: string | undefined } {
  if (!isMessage(output)) return { result: output, callId: undefined }
  return { result: output.content, callId: asName(output.tool_call_id) }
}

/** Returns metadata without the keys that are instructions to us. */
export function storedMetadata(metadata: unknown, tags: unknown, stores: (key: string) => boolean): Fields {
  const entries = Object.entries(asRecord(metadata)).filter(([key]) => !SVC_METADATA.test(key) && stores(key))
  const texts = asArray(tags).filter((tag) => typeof tag === 'string')
  return { ...Object.fromEntries(entries), ...(texts.length > 0 ? { tags: texts } : {}) }
}

const SVC_METADATA = /^svc(Prompt|UserId|SessionId)$/

export function isHidden(tags: unknown): boolean {
  return asArray(tags).includes('langsmith:hidden')
}
