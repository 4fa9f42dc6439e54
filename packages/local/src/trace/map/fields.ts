import { ATTRIBUTE, GEN_AI, GENERAL } from '@svc/core/attributes'
import { own } from '@svc/core/own'
import { isNumber } from '../../exact-json.ts'
import { decoded } from '../../json-text.ts'
import { LEVELS, type Level, type ObservationType } from '../../store/observation.ts'
import type { Attributes, ReceivedSpan, Value } from '../../store/received.ts'
import { firstText, mapOf, numberOf, readText, under, type ValueMap } from './read.ts'
import { reportsSums } from './usage.ts'

/** The name of an observation (contract 5.4). */
export function nameOf({ attributes, name }: ReceivedSpan): string {
  const given = firstText(attributes, [GEN_AI.TOOL_NAME, 'genkit:name', 'logfire.msg', 'ai.toolCall.name'])
  if (given !== undefined) return given
  const operation = readText(attributes['ai.operationId'])
  if (operation === undefined) return name
  const caller = readText(attributes['ai.telemetry.functionId'])
  return caller === undefined ? operation : `${caller}:${operation}`
}

const MODEL_KEYS = [
  ATTRIBUTE.OBSERVATION_MODEL,
  GEN_AI.RESPONSE_MODEL,
  'ai.model.id',
  GEN_AI.REQUEST_MODEL,
  'llm.response.model',
  'llm.model_name',
  'model',
]

export function modelOf(attributes: Attributes): string | null {
  return reportsSums(attributes) ? null : (firstText(attributes, MODEL_KEYS) ?? null)
}

/** Parameters of the model call: temperature and the like. Text and numbers stay as sent, all else becomes JSON text. */
export function modelParametersOf(span: ReceivedSpan): ValueMap {
  const entries = Object.entries(rawParametersOf(span)).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, plainParameter(value ?? null)]))
}

function plainParameter(value: Value): Value {
  return typeof value === 'string' || value === null || isNumber(value) ? value : JSON.stringify(value)
}

function rawParametersOf({ attributes, scope }: ReceivedSpan): Readonly<Record<string, Value | undefined>> {
  const stated = mapOf(attributes[ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS])
  if (scope.name === 'ai') return { ...aiSdkParameters(attributes), ...stated }
  if (stated) return stated
  const genkit = scope.name === 'genkit-tracer' ? genkitParameters(attributes) : undefined
  const foreign = genkit ?? mapOf(attributes['llm.invocation_parameters']) ?? mapOf(attributes.model_config)
  if (foreign) return foreign
  return Object.fromEntries([
    ...under(attributes, GEN_AI.REQUEST_PREFIX).filter(([name]) => name !== 'model'),
    ...under(attributes, 'llm.invocation_parameters.'),
  ])
}

function genkitParameters(attributes: Attributes): ValueMap | undefined {
  return mapOf(mapOf(attributes['genkit:input'])?.config) ?? mapOf(mapOf(attributes['genkit:output'])?.request)
}

/** The parameters that are read in the scope `ai`, and no others. */
const AI_SDK_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  maxSteps: ['ai.settings.maxSteps'],
  toolChoice: ['ai.prompt.toolChoice'],
  maxTokens: ['ai.settings.maxTokens', GEN_AI.REQUEST_MAX_TOKENS],
  finishReason: [`${GEN_AI.PREFIX}finishReason`, GEN_AI.RESPONSE_FINISH_REASONS],
  system: [`${GEN_AI.PREFIX}system`],
  maxRetries: ['ai.settings.maxRetries'],
  mode: ['ai.settings.mode'],
  temperature: [GEN_AI.REQUEST_TEMPERATURE],
}

function aiSdkParameters(attributes: Attributes): Record<string, Value | undefined> {
  const found = Object.entries(AI_SDK_PARAMETERS).map(([name, keys]) => [
    name,
    attributes[keys.find((key) => attributes[key] !== undefined) ?? ''],
  ])
  const openai = mapOf(mapOf(attributes['ai.response.providerMetadata'])?.openai)
  return {
    ...Object.fromEntries(found),
    service_tier: openai?.serviceTier ?? attributes[`${GEN_AI.REQUEST_PREFIX}service_tier`],
  }
}

const LEVEL_ALIASES: Readonly<Record<string, Level>> = {
  ...Object.fromEntries(LEVELS.map((level) => [level, level])),
  TRACE: 'DEBUG',
  VERBOSE: 'DEBUG',
  INFO: 'DEFAULT',
  LOG: 'DEFAULT',
  NOTICE: 'DEFAULT',
  OK: 'DEFAULT',
  SUCCESS: 'DEFAULT',
  WARN: 'WARNING',
  FATAL: 'ERROR',
  CRITICAL: 'ERROR',
}

const STATUS_ERROR = 2

export function levelOf({ attributes, status }: ReceivedSpan): Level {
  const word = readText(attributes[ATTRIBUTE.OBSERVATION_LEVEL])?.trim().toUpperCase() ?? ''
  return own(LEVEL_ALIASES, word) ?? (status.code === STATUS_ERROR ? 'ERROR' : 'DEFAULT')
}

/** The service leaves it out where only an `exception` event has it; on this page a failure has its reason. */
export function statusMessageOf(span: ReceivedSpan): string | null {
  const { attributes, status } = span
  const given = readText(attributes[ATTRIBUTE.OBSERVATION_STATUS_MESSAGE]) ?? readText(status.message)
  return given ?? (levelOf(span) === 'ERROR' ? exceptionMessageOf(span) : null)
}

function exceptionMessageOf({ events }: ReceivedSpan): string | null {
  const attributes = events.findLast(({ name }) => name === 'exception')?.attributes ?? {}
  return firstText(attributes, [GENERAL.EXCEPTION_MESSAGE, GENERAL.EXCEPTION_TYPE]) ?? null
}

/** Reads the time of the first token as microseconds since 1970: from ISO text, or milliseconds after the start. */
export function completionStartOf(attributes: Attributes, start: number): number | null {
  const given = readText(attributes[ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME])
  const time = given === undefined ? Number.NaN : Date.parse(String(decoded(given)))
  const delay = numberOf(attributes['ai.response.msToFirstChunk']) ?? numberOf(attributes['ai.stream.msToFirstChunk'])
  const first = Number.isNaN(time) ? start + Math.ceil(delay ?? Number.NaN) * 1_000 : time * 1_000
  return Number.isSafeInteger(Math.round(first)) ? Math.round(first) : null
}

export function versionOf({ attributes, resource }: ReceivedSpan): string | null {
  return readText(attributes[ATTRIBUTE.VERSION]) ?? readText(resource.attributes['service.version']) ?? null
}

export function releaseOf({ attributes, resource }: ReceivedSpan): string | null {
  return readText(attributes[ATTRIBUTE.RELEASE]) ?? readText(resource.attributes[ATTRIBUTE.RELEASE]) ?? null
}

/** The prompt a generation was made from. Other observations have none, whatever they carry. */
export function promptOf(attributes: Attributes, type: ObservationType) {
  if (type !== 'GENERATION') return { promptName: null, promptVersion: null }
  const foreign = mapOf(attributes['ai.telemetry.metadata.svcPrompt'])
  const version =
    numberOf(attributes[ATTRIBUTE.OBSERVATION_PROMPT_VERSION]) ??
    numberOf(attributes[ATTRIBUTE.COMPAT_PROMPT_VERSION]) ??
    numberOf(foreign?.version)
  return {
    promptName:
      firstText(attributes, [ATTRIBUTE.OBSERVATION_PROMPT_NAME, ATTRIBUTE.COMPAT_PROMPT_NAME]) ??
      readText(foreign?.name) ??
      null,
    promptVersion: Number.isInteger(version) ? (version ?? null) : null,
  }
}
