import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { capturesContent } from '../gen-ai/configure.ts'
import type { RequestContent, ResponseContent, Usage } from '../gen-ai/content.ts'
import { readCost } from '../gen-ai/cost.ts'
import { type NumberTable, readNumbers, readStopSequences, withFields } from '../gen-ai/parameters.ts'
import { referencePart } from '../gen-ai/parts.ts'
import { asArray, asName, asNumber, asRecord, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { metadataAttributes } from '../record/metadata.ts'
import type { ModelEndpoint } from '../stainless/endpoint.ts'
import { toMessage, toParts } from './blocks.ts'
import { createMessageAccumulator } from './message-stream.ts'

/** `messages` and `beta.messages`: `create`, `parse`, `stream` and the tool runner post to this path. */
export const messages: ModelEndpoint = {
  name: 'chat',
  path: /\/messages$/,
  readParameters,
  readRequest,
  readResponse: readMessage,
  createAccumulator: () => createMessageAccumulator(readMessage),
}

const NUMBERS: NumberTable = Object.entries({
  [GEN_AI.REQUEST_MAX_TOKENS]: ['max_tokens'],
  [GEN_AI.REQUEST_TEMPERATURE]: ['temperature'],
  [GEN_AI.REQUEST_TOP_P]: ['top_p'],
  [GEN_AI.REQUEST_TOP_K]: ['top_k'],
})

function readParameters(body: Fields): Attributes {
  const config = asRecord(body.output_config)
  const { tool_choice, service_tier, speed, thinking, metadata, output_format = config.format } = body
  const { container, thread } = body
  const parameters = defined({
    ...readNumbers(body, NUMBERS),
    ...metadataAttributes({
      container_id: readContainer(container),
      previous_message_id: asName(asRecord(thread).previous_message_id),
    }),
    [GEN_AI.REQUEST_STREAM]: body.stream === true ? true : undefined,
    [GEN_AI.REQUEST_STOP_SEQUENCES]: readStopSequences(body.stop_sequences),
    [GEN_AI.REQUEST_REASONING_LEVEL]: asName(config.effort),
    [GEN_AI.OUTPUT_TYPE]: isObject(output_format) ? 'json' : undefined,
  })
  const thinking_budget = asRecord(thinking).budget_tokens
  const more = { tool_choice, service_tier, speed, thinking_budget, user: asRecord(metadata).user_id }
  return withFields(parameters, more, FIELDS, output_format)
}

const FIELDS = ['tool_choice', 'service_tier', 'speed', 'thinking_budget', 'user']

function readRequest({ system, messages, tools, thread }: Fields): RequestContent {
  const inputMessages = asArray(messages).map((message) => toMessage(asRecord(message)))
  // What stands before the messages, and is known to the service only.
  const previous = asName(asRecord(thread).previous_message_id)
  if (previous !== undefined)
    inputMessages.unshift({ role: 'user', parts: [referencePart('previous message', previous)] })
  return {
    ...(system ? { instructions: toParts(system) } : {}),
    ...(inputMessages.length > 0 ? { messages: inputMessages } : {}),
    tools,
  }
}

/** The container that code runs in, by its id or with the skills to load there. */
function readContainer(container: unknown): string | undefined {
  return asName(container) ?? asName(asRecord(container).id)
}

function readMessage({ id, model, content, stop_reason, usage, container, stop_details }: Fields): ResponseContent {
  const finish_reason = asName(stop_reason)
  const parts = toParts(content)
  return {
    id: asName(id),
    model: asName(model),
    finishReasons: finish_reason ? [finish_reason] : [],
    messages: parts.length > 0 ? [{ role: 'assistant', parts, ...defined({ finish_reason }) }] : [],
    usage: readUsage(usage),
    citations: asArray(content).flatMap((block) => asArray(asRecord(block).citations)),
    // Routers answer in Anthropic's form, too.
    cost: readCost(usage),
    served: readServed(asRecord(usage)),
    metadata: unlessEmpty({
      container_id: readContainer(container),
      stop_details: readRefusal(asRecord(stop_details)),
      // They have prices of their own, and are not among the sums.
      usage_of_other_models: readOtherModels(usage),
    }),
  }
}

/** Returns the usage of an advisor, and of models that declined before another one answered; undefined if there were none. */
function readOtherModels(usage: unknown): Fields[] | undefined {
  const [serving] = iterations(usage, 'fallback_message')
  const declined = serving ? iterations(usage, 'message').filter(({ model }) => model && model !== serving.model) : []
  const others = [...declined, ...iterations(usage, 'advisor_message')]
  return others.length > 0 ? others : undefined
}

/** Reads why the model refused. */
function readRefusal({ category, explanation, recommended_model }: Fields): Fields | undefined {
  return unlessEmpty({
    category: asName(category),
    explanation: capturesContent() ? asName(explanation) : undefined,
    recommended_model: asName(recommended_model),
  })
}

/** Reads the parameters as served, which determine the price. */
function readServed({ service_tier, speed }: Fields): ResponseContent['served'] {
  return unlessEmpty({ service_tier: asName(service_tier), speed: asName(speed) })
}

function unlessEmpty<T extends Fields>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } | undefined {
  const present = defined(fields)
  return Object.keys(present).length > 0 ? present : undefined
}

/**
 * Anthropic's input count excludes cache reads and writes, and all of its counts those of the requests that summarize a
 * conversation which became too long.
 */
function readUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const summaries = iterations(usage, 'compaction')
  const sum = (read: (counts: Fields) => unknown) => {
    const counts = [usage, ...summaries].flatMap((each) => asNumber(read(each)) ?? [])
    return counts.length > 0 ? counts.reduce((total, count) => total + count) : undefined
  }
  const cacheRead = sum((counts) => counts.cache_read_input_tokens)
  const cacheWrite = sum((counts) => counts.cache_creation_input_tokens)
  const uncached = sum((counts) => counts.input_tokens)
  return {
    input: uncached === undefined ? undefined : uncached + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: sum((counts) => counts.output_tokens),
    reasoning: asNumber(asRecord(usage.output_tokens_details).thinking_tokens),
    ...defined({
      cacheRead,
      cacheWrite,
      cacheWrite5m: sum((counts) => asRecord(counts.cache_creation).ephemeral_5m_input_tokens),
      cacheWrite1h: sum((counts) => asRecord(counts.cache_creation).ephemeral_1h_input_tokens),
      webSearches: asNumber(asRecord(usage.server_tool_use).web_search_requests),
    }),
  }
}

/** Returns the usage of the parts of one kind that a call had. */
function iterations(usage: unknown, kind: string): Fields[] {
  return asArray(asRecord(usage).iterations)
    .map(asRecord)
    .filter(({ type }) => type === kind)
}
