import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import type { RequestContent, ResponseContent, Usage } from '../gen-ai/content.ts'
import { readCost } from '../gen-ai/cost.ts'
import { type NumberTable, readNumbers, readStopSequences, withFields } from '../gen-ai/parameters.ts'
import { asArray, asName, asNumber, asRecord, defined, type Fields, isObject } from '../gen-ai/read.ts'
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
  const parameters = defined({
    ...readNumbers(body, NUMBERS),
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

function readRequest({ system, messages, tools }: Fields): RequestContent {
  const inputMessages = asArray(messages).map((message) => toMessage(asRecord(message)))
  return {
    ...(system ? { instructions: toParts(system) } : {}),
    ...(inputMessages.length > 0 ? { messages: inputMessages } : {}),
    tools,
  }
}

function readMessage({ id, model, content, stop_reason, usage }: Fields): ResponseContent {
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
  }
}

/** Reads the parameters as served, which determine the price. */
function readServed({ service_tier, speed }: Fields): ResponseContent['served'] {
  const served = defined({ service_tier: asName(service_tier), speed: asName(speed) })
  return Object.keys(served).length > 0 ? served : undefined
}

/** Anthropic's input count excludes cache reads and writes. */
function readUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const cacheRead = asNumber(usage.cache_read_input_tokens)
  const cacheWrite = asNumber(usage.cache_creation_input_tokens)
  const uncached = asNumber(usage.input_tokens)
  const { ephemeral_5m_input_tokens, ephemeral_1h_input_tokens } = asRecord(usage.cache_creation)
  return {
    input: uncached === undefined ? undefined : uncached + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: asNumber(usage.output_tokens),
    reasoning: asNumber(asRecord(usage.output_tokens_details).thinking_tokens),
    ...defined({
      cacheRead,
      cacheWrite,
      cacheWrite5m: asNumber(ephemeral_5m_input_tokens),
      cacheWrite1h: asNumber(ephemeral_1h_input_tokens),
      webSearches: asNumber(asRecord(usage.server_tool_use).web_search_requests),
    }),
  }
}
