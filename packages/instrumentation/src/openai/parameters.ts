import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { toMetadataText } from '@svc/core/json'
import { type NumberTable, readNumbers, readStopSequences, withFields } from '../gen-ai/parameters.ts'
import { asName, asNumber, asRecord, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { metadataAttributes } from '../record/metadata.ts'

const NUMBERS: NumberTable = [
  [GEN_AI.REQUEST_TEMPERATURE, ['temperature']],
  [GEN_AI.REQUEST_TOP_P, ['top_p']],
  [GEN_AI.REQUEST_TOP_K, ['top_k']],
  [GEN_AI.REQUEST_MAX_TOKENS, ['max_completion_tokens', 'max_output_tokens', 'max_tokens']],
  [GEN_AI.REQUEST_FREQUENCY_PENALTY, ['frequency_penalty']],
  [GEN_AI.REQUEST_PRESENCE_PENALTY, ['presence_penalty']],
  [GEN_AI.REQUEST_SEED, ['seed']],
  [GEN_AI.EMBEDDINGS_DIMENSION_COUNT, ['dimensions']],
]
const FIELDS = ['tool_choice', 'parallel_tool_calls', 'user', 'logit_bias', 'logprobs', 'top_logprobs', 'service_tier']
const REFERENCES = ['prompt', 'prompt_id', 'prompt_cache_key', 'previous_response_id', 'extra_body', 'google']

export function readRequestParameters(body: Fields): Attributes {
  const choices = asNumber(body.n)
  const stops = body.stop === undefined ? undefined : readStopSequences(body.stop)
  const effort = asName(body.reasoning_effort ?? asRecord(body.reasoning).effort)
  const format = asRecord(body.response_format ?? asRecord(body.text).format)
  const kind = asName(format.type)
  const conversation = asName(body.conversation) ?? asName(asRecord(body.conversation).id)
  const parameters: Attributes = readNumbers(body, NUMBERS)
  if (REFERENCES.some((name) => body[name] !== undefined)) Object.assign(parameters, readReferences(body))
  if (body.stream === true) parameters[GEN_AI.REQUEST_STREAM] = true
  if (choices !== undefined && choices !== 1) parameters[GEN_AI.REQUEST_CHOICE_COUNT] = choices
  if (stops) parameters[GEN_AI.REQUEST_STOP_SEQUENCES] = stops
  if (effort !== undefined) parameters[GEN_AI.REQUEST_REASONING_LEVEL] = effort
  if (kind !== undefined) parameters[GEN_AI.OUTPUT_TYPE] = kind.startsWith('json') ? 'json' : kind
  if (conversation !== undefined) parameters[GEN_AI.CONVERSATION_ID] = conversation
  return withFields(parameters, body, FIELDS, kind === 'json_schema' ? format : undefined)
}

/** Names a stored prompt, what is cached of prompts, and the response that this one goes on from. */
export function readReferences(body: Fields): Attributes {
  const { prompt_cache_key, previous_response_id } = body
  const { id, version } = storedPrompt(body) ?? {}
  const cached_content = cachedContent(body)
  const stored = { prompt_id: id, prompt_version: version, prompt_cache_key, cached_content, previous_response_id }
  return metadataAttributes(stored, (value) => toMetadataText(asName(value) ?? asNumber(value)))
}

/** Returns what is sent of a prompt that the vendor has stored, or LiteLLM's proxy. */
export function storedPrompt({ prompt, prompt_id, prompt_version, prompt_variables }: Fields): Fields | undefined {
  if (isObject(prompt)) return prompt
  return prompt_id ? defined({ id: prompt_id, version: prompt_version, variables: prompt_variables }) : undefined
}

/** Returns the name of what Gemini has cached, for requests to its compatible API. */
export function cachedContent({ extra_body, google = asRecord(extra_body).google }: Fields): string | undefined {
  return asName(asRecord(google).cached_content)
}
