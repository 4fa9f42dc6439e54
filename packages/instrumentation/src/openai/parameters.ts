import type { Attributes, AttributeValue } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { readStopSequences, withFields } from '../gen-ai/parameters.ts'
import { asName, asNumber, asRecord, type Fields } from '../gen-ai/read.ts'

const FIELDS = ['tool_choice', 'parallel_tool_calls', 'user', 'logit_bias', 'logprobs', 'top_logprobs', 'service_tier']

/** Returns the parameters of a request. Called for every call: fields are read by name, which is faster than by a table. */
export function readRequestParameters(body: Fields): Attributes {
  const choices = asNumber(body.n)
  const format = asRecord(body.response_format ?? asRecord(body.text).format)
  const kind = asName(format.type)
  const parameters: Attributes = {}
  putNumber(parameters, GEN_AI.REQUEST_TEMPERATURE, body.temperature)
  putNumber(parameters, GEN_AI.REQUEST_TOP_P, body.top_p)
  putNumber(parameters, GEN_AI.REQUEST_TOP_K, body.top_k)
  // The newest name last: it takes precedence.
  putNumber(parameters, GEN_AI.REQUEST_MAX_TOKENS, body.max_tokens)
  putNumber(parameters, GEN_AI.REQUEST_MAX_TOKENS, body.max_output_tokens)
  putNumber(parameters, GEN_AI.REQUEST_MAX_TOKENS, body.max_completion_tokens)
  putNumber(parameters, GEN_AI.REQUEST_FREQUENCY_PENALTY, body.frequency_penalty)
  putNumber(parameters, GEN_AI.REQUEST_PRESENCE_PENALTY, body.presence_penalty)
  putNumber(parameters, GEN_AI.REQUEST_SEED, body.seed)
  putNumber(parameters, GEN_AI.EMBEDDINGS_DIMENSION_COUNT, body.dimensions)
  if (body.stream === true) parameters[GEN_AI.REQUEST_STREAM] = true
  if (choices !== 1) put(parameters, GEN_AI.REQUEST_CHOICE_COUNT, choices)
  put(parameters, GEN_AI.REQUEST_STOP_SEQUENCES, readStopSequences(body.stop))
  put(parameters, GEN_AI.REQUEST_REASONING_LEVEL, asName(body.reasoning_effort ?? asRecord(body.reasoning).effort))
  put(parameters, GEN_AI.OUTPUT_TYPE, kind?.startsWith('json') ? 'json' : kind)
  put(parameters, GEN_AI.CONVERSATION_ID, asName(body.conversation) ?? asName(asRecord(body.conversation).id))
  return withFields(parameters, body, FIELDS, kind === 'json_schema' ? format : undefined)
}

function putNumber(attributes: Attributes, name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value)) attributes[name] = value
}

function put(attributes: Attributes, name: string, value: AttributeValue | undefined): void {
  if (value !== undefined) attributes[name] = value
}
