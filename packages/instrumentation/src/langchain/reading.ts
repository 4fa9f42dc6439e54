import { context } from '@opentelemetry/api'
import { asArray, asName, asNumber, asRecord, entryOf, type Fields } from '../gen-ai/read.ts'
import { isMessage, type Spoken, spoken, textSpoken } from './messages.ts'
import type { ModelAnswer, ModelQuestion, ToolQuestion } from './spelling.ts'
import { countsOf } from './usage.ts'
import { toolNameIn } from './work.ts'

/** The last part of the path of a class: `["langchain", "chat_models", "openai", "ChatOpenAI"]`. */
export function classNameOf(serialized: unknown): string | undefined {
  return asName(asArray(asRecord(serialized).id).at(-1))
}

interface AboutModel {
  readonly chat: boolean
  readonly extra: unknown
  readonly metadata: unknown
  readonly runName: unknown
}

export function modelQuestion(
  serialized: unknown,
  messages: readonly Spoken[],
  { chat, extra, metadata, runName }: AboutModel,
): ModelQuestion {
  const parameters = asRecord(asRecord(extra).invocation_params)
  const { ls_model_name, ls_provider } = asRecord(metadata)
  const { model, model_name, modelName } = parameters
  return {
    runName: asName(runName),
    className: classNameOf(serialized),
    chat,
    model: asName(model) ?? asName(ls_model_name) ?? asName(model_name) ?? asName(modelName),
    provider: asName(ls_provider)?.toLowerCase(),
    parameters,
    messages,
  }
}

/** The messages of the first of several conversations: each has a run of its own. */
export function conversationOf(conversations: unknown): Spoken[] {
  return asArray(asArray(conversations)[0]).map((message) => spoken(asRecord(message)))
}

export function textsOf(prompts: unknown): Spoken[] {
  return asArray(prompts).map((prompt) => textSpoken('human', prompt))
}

export function toolQuestion(
  serialized: unknown,
  input: unknown,
  { callId, runName }: { readonly callId: unknown; readonly runName: unknown },
): ToolQuestion {
  const own = toolNameIn(context.active()) ?? asName(asRecord(serialized).name)
  const name = asName(runName) ?? own ?? classNameOf(serialized) ?? 'tool'
  return { name, callId: asName(callId), input }
}

export function modelAnswer(result: unknown): ModelAnswer {
  const { generations, llmOutput } = asRecord(result)
  const given = asArray(asArray(generations)[0]).map(asRecord)
  const first = given[0] ?? {}
  const { message } = first
  const about = { ...asRecord(first.generationInfo), ...asRecord(asRecord(message).response_metadata) }
  return {
    chat: isMessage(message),
    id: answerId(asRecord(message).id),
    model: asName(about.model_name) ?? asName(about.model),
    messages: given.map(({ message, text }) => (isMessage(message) ? spoken(message) : textSpoken('ai', text))),
    finishReasons: given.flatMap((generation) => reasonOf(generation) ?? []),
    counts: countsOf(asRecord(message), asRecord(llmOutput)),
    cost: asNumber(asRecord(about.usage).cost),
    tier: asName(about.service_tier) ?? asName(asRecord(about.usage).service_tier),
  }
}

/** The provider's own; where there is none LangChain puts the id of the run. */
function answerId(id: unknown): string | undefined {
  const name = asName(id)
  return name?.startsWith('run-') ? undefined : name
}

/** What vendors call the reason, newest name last. */
function reasonOf({ message, generationInfo }: Fields): string | undefined {
  const { response_metadata, additional_kwargs } = asRecord(message)
  for (const place of [response_metadata, generationInfo, additional_kwargs]) {
    for (const name of REASONS) {
      const reason = asName(entryOf(asRecord(place), name))
      if (reason) return reason
    }
  }
  return undefined
}

const REASONS = ['finish_reason', 'stop_reason', 'finishReason', 'done_reason']

/** What a tool said, and which call it answers. */
export function toolAnswer(output: unknown): { readonly result: unknown; readonly callId: string | undefined } {
  if (!isMessage(output)) return { result: output, callId: undefined }
  return { result: output.content, callId: asName(output.tool_call_id) }
}

/** Metadata as it is stored: without what speaks to us. */
export function storedMetadata(metadata: unknown, tags: unknown, stores: (key: string) => boolean): Fields {
  const entries = Object.entries(asRecord(metadata)).filter(([key]) => !FOR_US.test(key) && stores(key))
  const given = asArray(tags).filter((tag) => typeof tag === 'string')
  return { ...Object.fromEntries(entries), ...(given.length > 0 ? { tags: given } : {}) }
}

const FOR_US = /^svc(Prompt|UserId|SessionId)$/

export function isHidden(tags: unknown): boolean {
  return asArray(tags).includes('langsmith:hidden')
}
