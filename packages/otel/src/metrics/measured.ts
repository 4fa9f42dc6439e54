import type { Attributes, AttributeValue } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { MCP } from '@svc/core/attributes/constants'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as GENERAL from '@svc/core/attributes/general'
import * as METRIC from '@svc/core/attributes/metrics'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { providerName } from '@svc/core/provider-name'
import { fieldsIn, firstChunk, usageAttributes } from '../dialects/figures.ts'
import { withKnownCounts } from '../dialects/usage.ts'
import { modelOperation } from '../model-operation.ts'
import type { ReadableSpan } from '../sdk.ts'
import type { Measure, Point } from './instruments.ts'

// The numbers of OpenTelemetry's API, whose enumerations this package does not load.
const SERVER = 1
const FAILED = 2

/** Most vendors count all tokens in one. */
const UNKNOWN_MODALITY: Attributes = { [METRIC.TOKEN_MODALITY]: 'unknown' }

/** What is measured of a span that is no call of a model, by its operation. */
const OPERATIONS: ReadonlyMap<unknown, Measure> = new Map<unknown, Measure>([
  ['invoke_agent', 'agent'],
  ['execute_tool', 'tool'],
  ['ai.toolCall', 'tool'],
  ['retrieval', 'otherCall'],
])
/** The same by the service's types of observations, and by OpenInference's kinds. */
const TYPES: ReadonlyMap<unknown, Measure> = new Map<unknown, Measure>([
  ['agent', 'agent'],
  ['tool', 'tool'],
  ['AGENT', 'agent'],
  ['TOOL', 'tool'],
])

/** Reads what an ended span measures: durations, tokens, chunks, cost. Nothing of most spans. */
export function measured(span: ReadableSpan): Point[] {
  const { attributes, kind, duration } = span
  const seconds = duration[0] + duration[1] / 1e9
  if (attributes[MCP.METHOD_NAME] !== undefined)
    return [[kind === SERVER ? 'mcpServer' : 'mcpClient', seconds, mcpAttributes(span)]]
  const operation = modelOperation(attributes, span.instrumentationScope.name, span.name) ?? embedding(attributes)
  if (operation !== undefined) return ofCall(span, operation, seconds)
  const measure = otherMeasure(attributes)
  return measure ? [[measure, seconds, OTHERS[measure](span)]] : []
}

/** The AI SDK 5 and 6 embed under a name of their own. */
function embedding({ 'ai.operationId': operation }: Attributes): string | undefined {
  return typeof operation === 'string' && operation.endsWith('.doEmbed') ? 'embeddings' : undefined
}

function otherMeasure(attributes: Attributes): keyof typeof OTHERS | undefined {
  const type = attributes[ATTRIBUTE.OBSERVATION_TYPE] ?? attributes['openinference.span.kind']
  const operation = attributes[GEN_AI.OPERATION_NAME] ?? attributes['ai.operationId']
  const measure = type === undefined ? OPERATIONS.get(operation) : TYPES.get(type)
  return measure as keyof typeof OTHERS | undefined
}

const OTHERS = {
  agent: (span: ReadableSpan): Attributes => ({
    [GEN_AI.AGENT_NAME]: span.attributes[GEN_AI.AGENT_NAME] ?? ownName(span),
    [GEN_AI.REQUEST_MODEL]: span.attributes[GEN_AI.REQUEST_MODEL],
    ...errorAttributes(span),
  }),
  tool: (span: ReadableSpan): Attributes => ({
    [GEN_AI.TOOL_NAME]: span.attributes[GEN_AI.TOOL_NAME] ?? span.attributes['ai.toolCall.name'] ?? span.name,
    [GEN_AI.TOOL_TYPE]: span.attributes[GEN_AI.TOOL_TYPE],
    [GEN_AI.AGENT_NAME]: span.attributes[GEN_AI.AGENT_NAME],
    ...errorAttributes(span),
  }),
  otherCall: (span: ReadableSpan): Attributes => ({ ...callAttributes(span, 'retrieval'), ...errorAttributes(span) }),
}

/** The name of a span made by hand is that of its agent. */
function ownName({ attributes, name }: ReadableSpan): string | undefined {
  return attributes[GEN_AI.OPERATION_NAME] === undefined ? name : undefined
}

function mcpAttributes(span: ReadableSpan): Attributes {
  const { attributes } = span
  const names = [MCP.METHOD_NAME, GEN_AI.OPERATION_NAME, GEN_AI.TOOL_NAME, METRIC.RPC_STATUS_CODE]
  return { ...Object.fromEntries(names.map((name) => [name, attributes[name]])), ...errorAttributes(span) }
}

function ofCall(span: ReadableSpan, operation: string, seconds: number): Point[] {
  const about = callAttributes(span, operation)
  const [first, ...others] = chunkTimes(span)
  const points: Point[] = [['call', seconds, { ...about, ...errorAttributes(span) }]]
  if (first !== undefined) points.push(['firstChunk', first, about])
  for (const each of others) points.push(['perChunk', each, about])
  const cost = costOf(span.attributes)
  if (cost) points.push(['cost', cost, about])
  points.push(...tokenPoints(span.attributes, about))
  return points
}

function callAttributes({ attributes }: ReadableSpan, operation: string): Attributes {
  const named = [GEN_AI.PROVIDER_NAME, METRIC.SYSTEM, 'ai.model.provider', 'llm.provider']
  const provider = String(providerName(firstOf(attributes, named) ?? METRIC.OTHER))
  const tier = fieldsOf(attributes[ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS]).service_tier
  return {
    [GEN_AI.OPERATION_NAME]: attributes[GEN_AI.OPERATION_NAME] ?? operation,
    [GEN_AI.PROVIDER_NAME]: provider,
    [GEN_AI.REQUEST_MODEL]: firstOf(attributes, [GEN_AI.REQUEST_MODEL, 'ai.model.id', 'llm.model_name']),
    [GEN_AI.RESPONSE_MODEL]: firstOf(attributes, [ATTRIBUTE.OBSERVATION_MODEL, GEN_AI.RESPONSE_MODEL]),
    [GENERAL.SERVER_ADDRESS]: attributes[GENERAL.SERVER_ADDRESS],
    [GENERAL.SERVER_PORT]: attributes[GENERAL.SERVER_PORT],
    [provider.includes('openai') ? METRIC.OPENAI_SERVICE_TIER : METRIC.SERVICE_TIER]: tier as string | undefined,
  }
}

/** The first of these attributes that is there: instrumentations name the same thing differently. */
function firstOf(attributes: Attributes, names: readonly string[]): AttributeValue | undefined {
  return names.map((name) => attributes[name]).find((value) => value !== undefined)
}

function errorAttributes({ attributes, status, events }: ReadableSpan): Attributes {
  const hasFailed = status.code === FAILED || attributes[ATTRIBUTE.OBSERVATION_LEVEL] === 'ERROR'
  if (!hasFailed) return {}
  const exception = events.find(({ name }) => name === 'exception')?.attributes
  const type = attributes[GENERAL.ERROR_TYPE] ?? exception?.[GENERAL.EXCEPTION_TYPE] ?? METRIC.OTHER
  return { [GENERAL.ERROR_TYPE]: type }
}

/** Seconds to the first chunk and between the others, of a call that was streamed. */
function chunkTimes(span: ReadableSpan): readonly number[] {
  const { attributes } = span
  const first = firstChunkOf(span)
  const isStreamed = first !== undefined || fieldsOf(attributes[ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS]).stream === true
  const times = attributes[METRIC.CHUNK_TIMES]
  // Of other instrumentations only an average is known.
  const known = Array.isArray(times) ? times : [first, attributes[GEN_AI.CLIENT_TIME_PER_OUTPUT_CHUNK]]
  return isStreamed ? known.filter((each) => typeof each === 'number') : []
}

function firstChunkOf(span: ReadableSpan): AttributeValue | undefined {
  const { attributes } = span
  const milliseconds = attributes['ai.response.msToFirstChunk']
  if (typeof milliseconds === 'number') return milliseconds / 1_000
  const output = attributes[ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME]
  const seconds = firstOf(attributes, [GEN_AI.RESPONSE_TIME_TO_FIRST_CHUNK, GEN_AI.CLIENT_TIME_TO_FIRST_CHUNK])
  if (seconds !== undefined || output === undefined) return seconds
  return attempt('read a time', firstChunk, output, span)?.[GEN_AI.RESPONSE_TIME_TO_FIRST_CHUNK]
}

function costOf(attributes: Attributes): number {
  const { total } = fieldsOf(attributes[ATTRIBUTE.OBSERVATION_COST_DETAILS])
  return typeof total === 'number' && total > 0 ? total : 0
}

/** What is no JSON has no fields: people write these attributes by hand, too. */
function fieldsOf(value: AttributeValue | undefined): Readonly<Record<string, unknown>> {
  return (value !== undefined && attempt('read an attribute', fieldsIn, value)) || {}
}

/** What is counted of the tokens of a call, by their names in the conventions on spans. */
const SUMS: readonly (readonly [name: string, measure: Measure, more?: Attributes])[] = [
  [GEN_AI.USAGE_INPUT_TOKENS, 'tokens', { [METRIC.TOKEN_TYPE]: 'input' }],
  [GEN_AI.USAGE_OUTPUT_TOKENS, 'tokens', { [METRIC.TOKEN_TYPE]: 'output' }],
  [GEN_AI.USAGE_INPUT_TOKENS, 'inputTokensOfCall'],
  [GEN_AI.USAGE_OUTPUT_TOKENS, 'outputTokensOfCall'],
  [GEN_AI.USAGE_INPUT_TOKENS, 'inputTokens', UNKNOWN_MODALITY],
  [GEN_AI.USAGE_OUTPUT_TOKENS, 'outputTokens', UNKNOWN_MODALITY],
  [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS, 'cacheReadTokens', UNKNOWN_MODALITY],
  [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS, 'cacheWriteTokens', UNKNOWN_MODALITY],
  [GEN_AI.USAGE_REASONING_OUTPUT_TOKENS, 'reasoningTokens', UNKNOWN_MODALITY],
]

/** What vendors count apart, in the service's dialect. */
const AUDIO: Readonly<Partial<Record<Measure, string>>> = {
  inputTokens: 'input_audio_tokens',
  outputTokens: 'output_audio_tokens',
}

function tokenPoints(attributes: Attributes, about: Attributes): Point[] {
  const usage = usageOf(attributes)
  const details = fieldsOf(attributes[ATTRIBUTE.OBSERVATION_USAGE_DETAILS])
  return SUMS.flatMap(([name, measure, more]): Point[] => {
    const count = usage[name]
    if (typeof count !== 'number' || count < 0) return []
    const audio = details[AUDIO[measure] ?? '']
    if (typeof audio !== 'number' || audio <= 0 || audio > count) return [[measure, count, { ...about, ...more }]]
    const rest = count - audio
    return [
      [measure, audio, { ...about, [METRIC.TOKEN_MODALITY]: 'audio' }],
      ...(rest > 0 ? [[measure, rest, { ...about, ...more }] as const] : []),
    ]
  })
}

/** The token counts of a span, whoever wrote them, under the names of the conventions. */
function usageOf(attributes: Attributes): Attributes {
  const details = attributes[ATTRIBUTE.OBSERVATION_USAGE_DETAILS]
  if (details !== undefined) return attempt('read token counts', usageAttributes, details) ?? {}
  return {
    [GEN_AI.USAGE_INPUT_TOKENS]: firstOf(attributes, ['ai.usage.tokens', 'llm.token_count.prompt']),
    [GEN_AI.USAGE_OUTPUT_TOKENS]: attributes['llm.token_count.completion'],
    ...withKnownCounts(attributes),
  }
}
