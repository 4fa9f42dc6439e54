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
  put(parameters, GEN_AI.REQUEST_TEMPERATURE, asNumber(body.temperature))
  put(parameters, GEN_AI.REQUEST_TOP_P, asNumber(body.top_p))
  put(parameters, GEN_AI.REQUEST_TOP_K, asNumber(body.top_k))
  put(parameters, GEN_AI.REQUEST_MAX_TOKENS, readTokenLimit(body))
  put(parameters, GEN_AI.REQUEST_FREQUENCY_PENALTY, asNumber(body.frequency_penalty))
  put(parameters, GEN_AI.REQUEST_PRESENCE_PENALTY, asNumber(body.presence_penalty))
  put(parameters, GEN_AI.REQUEST_SEED, asNumber(body.seed))
  put(parameters, GEN_AI.EMBEDDINGS_DIMENSION_COUNT, asNumber(body.dimensions))
  if (body.stream === true) parameters[GEN_AI.REQUEST_STREAM] = true
  if (choices !== 1) put(parameters, GEN_AI.REQUEST_CHOICE_COUNT, choices)
  put(parameters, GEN_AI.REQUEST_STOP_SEQUENCES, readStopSequences(body.stop))
  put(parameters, GEN_AI.REQUEST_REASONING_LEVEL, asName(body.reasoning_effort ?? asRecord(body.reasoning).effort))
  put(parameters, GEN_AI.OUTPUT_TYPE, kind?.startsWith('json') ? 'json' : kind)
  put(parameters, GEN_AI.CONVERSATION_ID, asName(body.conversation) ?? asName(asRecord(body.conversation).id))
  return withFields(parameters, body, FIELDS, kind === 'json_schema' ? format : undefined)
}

/** The newest name first. */
function readTokenLimit({ max_completion_tokens, max_output_tokens, max_tokens }: Fields): number | undefined {
  return asNumber(max_completion_tokens) ?? asNumber(max_output_tokens) ?? asNumber(max_tokens)
}

function put(attributes: Attributes, name: string, value: AttributeValue | undefined): void {
  if (value !== undefined) attributes[name] = value
}
