import { ATTRIBUTE, GEN_AI, SDK_SCOPE } from '@svc/core/attributes'
import { own } from '@svc/core/own'
import { OBSERVATION_TYPES, type ObservationType } from '../../store/observation.ts'
import type { ReceivedSpan } from '../../store/received.ts'
import { firstText, isEmpty, readText } from './read.ts'

type Rule = (span: ReceivedSpan) => ObservationType | undefined

/** Returns the type of observation by the first rule that fits (contract 5.3, rows 0 to 10), else a plain span. */
export function typeOf(span: ReceivedSpan): ObservationType {
  for (const rule of RULES) {
    const type = rule(span)
    if (type) return type
  }
  return 'SPAN'
}

const MODEL_KEYS = [ATTRIBUTE.OBSERVATION_MODEL, GEN_AI.REQUEST_MODEL, GEN_AI.RESPONSE_MODEL, 'llm.model_name', 'model']

const RULES: readonly Rule[] = [
  legacyPython,
  byValue(ATTRIBUTE.OBSERVATION_TYPE, Object.fromEntries(OBSERVATION_TYPES.map((type) => [type.toLowerCase(), type]))),
  byValue('openinference.span.kind', {
    chain: 'CHAIN',
    retriever: 'RETRIEVER',
    llm: 'GENERATION',
    embedding: 'EMBEDDING',
    agent: 'AGENT',
    tool: 'TOOL',
    guardrail: 'GUARDRAIL',
    evaluator: 'EVALUATOR',
  }),
  byValue(GEN_AI.OPERATION_NAME, {
    chat: 'GENERATION',
    completion: 'GENERATION',
    text_completion: 'GENERATION',
    generate_content: 'GENERATION',
    generate: 'GENERATION',
    embeddings: 'EMBEDDING',
    invoke_agent: 'AGENT',
    create_agent: 'AGENT',
    execute_tool: 'TOOL',
  }),
  byValue('genkit:metadata:subtype', {
    model: 'GENERATION',
    'background-model': 'GENERATION',
    embedder: 'EMBEDDING',
    tool: 'TOOL',
    'tool.v2': 'TOOL',
    retriever: 'RETRIEVER',
    evaluator: 'EVALUATOR',
  }),
  aiSdkModelCall,
  (span) => (aiSdkOperation(span)?.startsWith('ai.toolCall') ? 'TOOL' : undefined),
  ({ attributes }) => (firstText(attributes, [GEN_AI.TOOL_NAME, GEN_AI.TOOL_CALL_ID]) ? 'TOOL' : undefined),
  ({ attributes }) => (hasKeyUnder(attributes, 'flue.tool.') ? 'TOOL' : undefined),
  ({ attributes }) => (hasKeyUnder(attributes, 'flue.task.') ? 'AGENT' : undefined),
  ({ scope, name }) => (scope.name === 'livekit-agents' ? own(LIVEKIT_SPANS, name) : undefined),
  ({ attributes }) => (firstText(attributes, MODEL_KEYS) ? 'GENERATION' : undefined),
]

const LIVEKIT_SPANS: Readonly<Record<string, ObservationType>> = {
  agent_turn: 'AGENT',
  start_agent_activity: 'AGENT',
  function_tool: 'TOOL',
}

const AI_SDK_MODEL_CALLS: Readonly<Record<string, ObservationType>> = {
  'ai.generateText.doGenerate': 'GENERATION',
  'ai.streamText.doStream': 'GENERATION',
  'ai.generateObject.doGenerate': 'GENERATION',
  'ai.streamObject.doStream': 'GENERATION',
  'ai.embed.doEmbed': 'EMBEDDING',
  'ai.embedMany.doEmbed': 'EMBEDDING',
}

function byValue(key: string, types: Readonly<Record<string, ObservationType>>): Rule {
  return ({ attributes }) => {
    const word = readText(attributes[key])?.toLowerCase()
    return word === undefined ? undefined : own(types, word)
  }
}

// Python SDK up to 3.3 wrote "span" on everything that it did not create as a generation.
function legacyPython({ scope, resource, attributes }: ReceivedSpan): ObservationType | undefined {
  const python = scope.name === SDK_SCOPE && resource.attributes['telemetry.sdk.language'] === 'python'
  const [major = 0, minor = 0] = scope.version.split('.').map(Number)
  if (!python || major > 3 || (major === 3 && minor > 3)) return undefined
  return LEGACY_GENERATION_KEYS.some((key) => !isEmpty(attributes[key])) ? 'GENERATION' : undefined
}

const LEGACY_GENERATION_KEYS = [
  ATTRIBUTE.OBSERVATION_MODEL,
  ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS,
  ATTRIBUTE.OBSERVATION_USAGE_DETAILS,
  ATTRIBUTE.OBSERVATION_COST_DETAILS,
  ATTRIBUTE.OBSERVATION_PROMPT_NAME,
  ATTRIBUTE.OBSERVATION_PROMPT_VERSION,
  ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME,
]

// `operation.name` is the operation followed by the caller's function id.
function aiSdkOperation({ attributes }: ReceivedSpan): string | undefined {
  const operation = firstText(attributes, ['operation.name', 'ai.operationId'])
  return operation?.startsWith('ai.') ? operation : undefined
}

function aiSdkModelCall(span: ReceivedSpan): ObservationType | undefined {
  if (!firstText(span.attributes, [...MODEL_KEYS, 'ai.model.id'])) return undefined
  const operation = aiSdkOperation(span)?.split(' ')[0]
  return operation === undefined ? undefined : own(AI_SDK_MODEL_CALLS, operation)
}

function hasKeyUnder(attributes: ReceivedSpan['attributes'], prefix: string): boolean {
  return Object.keys(attributes).some((key) => key.startsWith(prefix))
}
