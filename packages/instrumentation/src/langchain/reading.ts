import { context } from '@opentelemetry/api'
import { entryOf, type Fields, fieldsOf, listOf, nameOf } from '../calls/read.ts'
import { isMessage, type Spoken, spoken, textSpoken } from './messages.ts'
import type { ModelAnswer, ModelQuestion, ToolQuestion } from './spelling.ts'
import { countsOf } from './usage.ts'
import { toolNameIn } from './work.ts'

/** The last part of the path of a class: `["langchain", "chat_models", "openai", "ChatOpenAI"]`. */
export function classNameOf(serialized: unknown): string | undefined {
  return nameOf(listOf(fieldsOf(serialized).id).at(-1))
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
  const parameters = fieldsOf(fieldsOf(extra).invocation_params)
  const { ls_model_name, ls_provider } = fieldsOf(metadata)
  const { model, model_name, modelName } = parameters
  return {
    runName: nameOf(runName),
    className: classNameOf(serialized),
    chat,
    model: nameOf(model) ?? nameOf(ls_model_name) ?? nameOf(model_name) ?? nameOf(modelName),
    provider: nameOf(ls_provider)?.toLowerCase(),
    parameters,
    messages,
  }
}

/** The messages of the first of several conversations: each has a run of its own. */
export function conversationOf(conversations: unknown): Spoken[] {
  return listOf(listOf(conversations)[0]).map((message) => spoken(fieldsOf(message)))
}

export function textsOf(prompts: unknown): Spoken[] {
  return listOf(prompts).map((prompt) => textSpoken('human', prompt))
}

export function toolQuestion(
  serialized: unknown,
  input: unknown,
  { callId, runName }: { readonly callId: unknown; readonly runName: unknown },
): ToolQuestion {
  const own = toolNameIn(context.active()) ?? nameOf(fieldsOf(serialized).name)
  const name = nameOf(runName) ?? own ?? classNameOf(serialized) ?? 'tool'
  return { name, callId: nameOf(callId), input }
}

export function modelAnswer(result: unknown): ModelAnswer {
  const { generations, llmOutput } = fieldsOf(result)
  const given = listOf(listOf(generations)[0]).map(fieldsOf)
  const first = given[0] ?? {}
  const { message } = first
  const about = { ...fieldsOf(first.generationInfo), ...fieldsOf(fieldsOf(message).response_metadata) }
  return {
    chat: isMessage(message),
    id: answerId(fieldsOf(message).id),
    model: nameOf(about.model_name) ?? nameOf(about.model),
    messages: given.map(({ message, text }) => (isMessage(message) ? spoken(message) : textSpoken('ai', text))),
    finishReasons: given.flatMap((generation) => reasonOf(generation) ?? []),
    counts: countsOf(fieldsOf(message), fieldsOf(llmOutput)),
  }
}

/** The provider's own; where there is none LangChain puts the id of the run. */
function answerId(id: unknown): string | undefined {
  const name = nameOf(id)
  return name?.startsWith('run-') ? undefined : name
}

/** What vendors call the reason, newest name last. */
function reasonOf({ message, generationInfo }: Fields): string | undefined {
  const { response_metadata, additional_kwargs } = fieldsOf(message)
  for (const place of [response_metadata, generationInfo, additional_kwargs]) {
    for (const name of REASONS) {
      const reason = nameOf(entryOf(fieldsOf(place), name))
      if (reason) return reason
    }
  }
  return undefined
}

const REASONS = ['finish_reason', 'stop_reason', 'finishReason', 'done_reason']

/** What a tool said, and which call it answers. */
export function toolAnswer(output: unknown): { readonly result: unknown; readonly callId: string | undefined } {
  if (!isMessage(output)) return { result: output, callId: undefined }
  return { result: output.content, callId: nameOf(output.tool_call_id) }
}

/** Metadata as it is stored: without what speaks to us, and what LangChain and LangGraph note for themselves. */
export function storedMetadata(metadata: unknown, tags: unknown): Fields {
  const entries = Object.entries(fieldsOf(metadata)).filter(([key]) => !NOT_STORED.test(key))
  const given = listOf(tags).filter((tag) => typeof tag === 'string')
  return { ...Object.fromEntries(entries), ...(given.length > 0 ? { tags: given } : {}) }
}

const NOT_STORED =
  /^(svc(Prompt|UserId|SessionId)|__.*|ls_.*|versions|checkpoint_ns|langgraph_(path|triggers|checkpoint_ns))$/

export function isHidden(tags: unknown): boolean {
  return listOf(tags).includes('langsmith:hidden')
}
