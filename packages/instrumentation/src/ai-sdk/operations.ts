import { SpanKind } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { own } from '@svc/core/own'
import { providerName } from '@svc/core/provider-name'
import { asArray, asRecord, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { asEmbeddingInput, readTextInput } from '../gen-ai/text-input.ts'
import { INTERRUPTED } from '../record/outcome.ts'
import { requestContentAttributes } from '../record/write.ts'
import { answersIn, approvals, idsOf } from './approvals.ts'
import { toJson } from './attribute-values.ts'
import type { CallTexts } from './call-texts.ts'
import { pricing, SERVICE_TIER } from './pricing.ts'
import { callUsage, providerUsage } from './usage.ts'

/** Which content of a call is recorded, and the texts that are made already. */
export interface RecordedContent {
  readonly inputs: boolean
  readonly outputs: boolean
  readonly texts: CallTexts
}

/** What the outermost span of a call records. */
export interface Operation {
  /** `gen_ai.operation.name`. Default: the id of the operation. */
  readonly name?: string
  readonly kind: SpanKind
  /** Whether its `runtimeContext` becomes attributes. */
  readonly hasRuntimeContext: boolean
  /** Parameters that its requests to a model share with it. */
  readonly parameters: readonly (readonly [field: string, name: string])[]
  /** The field of its instructions. */
  readonly instructions?: string
  readonly start: (event: Fields, recorded: RecordedContent) => Fields
  readonly end: (event: Fields, recorded: RecordedContent) => Fields
}

const PARAMETERS = [
  ['frequencyPenalty', GEN_AI.REQUEST_FREQUENCY_PENALTY],
  ['maxOutputTokens', GEN_AI.REQUEST_MAX_TOKENS],
  ['presencePenalty', GEN_AI.REQUEST_PRESENCE_PENALTY],
  ['temperature', GEN_AI.REQUEST_TEMPERATURE],
  ['topK', GEN_AI.REQUEST_TOP_K],
  ['topP', GEN_AI.REQUEST_TOP_P],
] as const

const TEXT: Operation = {
  name: 'invoke_agent',
  kind: SpanKind.INTERNAL,
  hasRuntimeContext: true,
  parameters: [...PARAMETERS, ['stopSequences', GEN_AI.REQUEST_STOP_SEQUENCES]],
  instructions: 'instructions',
  start: ({ functionId, seed, instructions, messages }, { inputs, texts }) => ({
    [GEN_AI.AGENT_NAME]: functionId,
    [GEN_AI.REQUEST_SEED]: seed,
    [ATTRIBUTE.OBSERVATION_INPUT]: inputs ? texts.input({ instructions, messages: asArray(messages) }) : undefined,
    ...answersIn(asArray(messages)),
  }),
  end: ({ finishReason, usage, text, finalStep, toolCalls, toolResults, files }, { outputs, texts }) => {
    const answer = {
      text,
      reasoning: asArray(asRecord(finalStep).reasoning),
      // Calls of tools on the way to an answer are recorded on the spans of the models that made them.
      ...(text ? {} : { toolCalls: asArray(toolCalls), toolResults: asArray(toolResults) }),
      files: asArray(files),
    }
    const asked = idsOf(asRecord(finalStep).content, 'tool-approval-request')
    return {
      [GEN_AI.RESPONSE_FINISH_REASONS]: [finishReason],
      ...callUsage(usage),
      [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]: asRecord(asRecord(usage).inputTokenDetails).cacheWriteTokens,
      [ATTRIBUTE.OBSERVATION_OUTPUT]: outputs ? texts.output(answer) : undefined,
      // The tool calls that a person is to approve are the output.
      ...(asked.length > 0 && { ...INTERRUPTED, ...approvals(asked) }),
    }
  },
}

const OBJECT: Operation = {
  name: 'invoke_agent',
  kind: SpanKind.INTERNAL,
  hasRuntimeContext: false,
  parameters: PARAMETERS,
  instructions: 'system',
  start: ({ functionId, seed, system, prompt, messages }, { inputs, texts }) => ({
    [GEN_AI.AGENT_NAME]: functionId,
    [GEN_AI.OUTPUT_TYPE]: 'json',
    [GEN_AI.REQUEST_SEED]: seed,
    [ATTRIBUTE.OBSERVATION_INPUT]: inputs
      ? texts.input({ instructions: system, messages: [...asArray(prompt), ...asArray(messages)] })
      : undefined,
  }),
  end: ({ finishReason, usage, object }, { outputs, texts }) => ({
    [GEN_AI.RESPONSE_FINISH_REASONS]: [finishReason],
    ...callUsage(usage),
    ...(outputs && object !== undefined && object !== null
      ? { [ATTRIBUTE.OBSERVATION_OUTPUT]: texts.output({ text: toJson(object) }) }
      : {}),
  }),
}

/** Provider and model only: everything else is recorded on the requests to the model. */
const WITHOUT_CONTENT = {
  kind: SpanKind.CLIENT,
  hasRuntimeContext: true,
  parameters: [],
  start: () => ({}),
  end: () => ({}),
} satisfies Operation

/** The texts of a whole call, as on its requests to the model: the service takes the input of a trace from its root. */
const EMBEDDING: Operation = {
  ...WITHOUT_CONTENT,
  name: 'embeddings',
  start: ({ value }, { inputs }) => (inputs ? requestContentAttributes(asEmbeddingInput(readTextInput(value))) : {}),
}

const AUDIO: Operation = {
  ...WITHOUT_CONTENT,
  hasRuntimeContext: false,
  start: ({ operationId, functionId, text, audio }, { inputs, texts }) => ({
    [GEN_AI.AGENT_NAME]: functionId,
    [GEN_AI.OUTPUT_TYPE]: operationId === SPEECH ? 'speech' : 'text',
    [GEN_AI.REQUEST_STREAM]: operationId === 'ai.streamTranscribe',
    ...(inputs && text !== undefined && text !== null
      ? { [ATTRIBUTE.OBSERVATION_INPUT]: texts.input({ messages: [text] }), 'ai.request.text': text }
      : {}),
    ...(inputs ? audioFields('request', audio) : {}),
  }),
  end: ({ operationId, text, segments, audio, usage, ...answer }, { inputs, outputs, texts }) => ({
    ...(operationId !== SPEECH && inputs ? audioFields('request', audio) : {}),
    ...(operationId === SPEECH && outputs ? audioFields('response', audio) : {}),
    ...(outputs && segments !== undefined
      ? { 'ai.response.text': text, [ATTRIBUTE.OBSERVATION_OUTPUT]: texts.output({ text }) }
      : {}),
    ...providerUsage(usage),
    ...pricing({ ...answer, usage: { raw: usage } }, providerUsage(usage), 'gen_ai'),
  }),
}

const SPEECH = 'ai.generateSpeech'

function audioFields(direction: 'request' | 'response', audio: unknown): Fields {
  if (!isObject(audio)) return {}
  const { byteLength, mediaType, format } = audio
  return {
    [`ai.${direction}.audio.size`]: byteLength,
    [`ai.${direction}.audio.media_type`]: mediaType,
    ...(direction === 'response' && 'format' in audio ? { 'ai.response.audio.format': String(format) } : {}),
  }
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'ai.generateText': TEXT,
  'ai.streamText': TEXT,
  'ai.workflowAgent.stream': TEXT,
  'ai.generateObject': OBJECT,
  'ai.streamObject': OBJECT,
  'ai.embed': EMBEDDING,
  'ai.embedMany': EMBEDDING,
  'ai.rerank': { ...WITHOUT_CONTENT, name: 'rerank' },
  [SPEECH]: AUDIO,
  'ai.transcribe': AUDIO,
  'ai.streamTranscribe': AUDIO,
}

/** What `decide` records. */
export const DECIDE: Operation = { ...WITHOUT_CONTENT, name: 'decide' }

/** Unknown operations have the events of a text, such as a turn of a harness. */
export function operationOf(id: string): Operation {
  const { name: _, ...unnamed } = TEXT
  return own(OPERATIONS, id) ?? unnamed
}

const TOOL_CHOICE = `${GEN_AI.REQUEST_PREFIX}tool_choice`

/** Parameters that only the requests to a language model have. A step may have others than its call. */
export function requestedFields({ seed, toolChoice, providerOptions }: Fields): Fields {
  const tiers = Object.values(asRecord(providerOptions)).map((options) => asRecord(options).serviceTier)
  return defined({
    [GEN_AI.REQUEST_SEED]: seed,
    [TOOL_CHOICE]: isObject(toolChoice) ? toJson(toolChoice) : toolChoice,
    [SERVICE_TIER]: tiers.find((tier) => typeof tier === 'string'),
  })
}

/** Fields of every span of a model. */
export function modelFields(operation: string, provider: unknown, model: unknown): Fields {
  return {
    [GEN_AI.OPERATION_NAME]: operation,
    [GEN_AI.PROVIDER_NAME]: providerName(provider),
    [GEN_AI.REQUEST_MODEL]: model,
  }
}
