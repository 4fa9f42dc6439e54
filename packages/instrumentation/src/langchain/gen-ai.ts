import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { own } from '@svc/core/own'
import { capturesContent } from '../gen-ai/configure.ts'
import { extraParameters, type NumberTable, readNumbers, readStopSequences } from '../gen-ai/parameters.ts'
import { referencePart } from '../gen-ai/parts.ts'
import { asName, asRecord, defined } from '../gen-ai/read.ts'
import { readReferences } from '../openai/parameters.ts'
import { metadataAttributes } from '../record/metadata.ts'
import { getTracer } from '../record/tracer.ts'
import { requestContentAttributes, responseAttributes, withParameters } from '../record/write.ts'
import type { AttributeMapping, ModelRequest, RunRecorderOptions } from './attribute-mapping.ts'
import { textAttribute } from './attributes.ts'
import { toGenAiMessage } from './messages.ts'
import { describeRunError } from './run-error.ts'
import { toUsage } from './usage.ts'

const NUMBERS: NumberTable = [
  [GEN_AI.REQUEST_TEMPERATURE, ['temperature']],
  [GEN_AI.REQUEST_TOP_P, ['top_p', 'topP']],
  [GEN_AI.REQUEST_TOP_K, ['top_k', 'topK']],
  [GEN_AI.REQUEST_MAX_TOKENS, ['max_completion_tokens', 'max_output_tokens', 'max_tokens', 'maxOutputTokens']],
  [GEN_AI.REQUEST_FREQUENCY_PENALTY, ['frequency_penalty']],
  [GEN_AI.REQUEST_PRESENCE_PENALTY, ['presence_penalty']],
  [GEN_AI.REQUEST_SEED, ['seed']],
]

/** Provider names of the conventions, for those that LangChain names differently. */
const PROVIDERS: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  google_genai: 'gcp.gemini',
  google_vertexai: 'gcp.vertex_ai',
  amazon_bedrock: 'aws.bedrock',
  bedrock: 'aws.bedrock',
  mistral: 'mistral_ai',
  mistralai: 'mistral_ai',
  xai: 'x_ai',
  together: 'together_ai',
  togetherai: 'together_ai',
  fireworks: 'fireworks_ai',
}

/** Maps runs to attributes of the GenAI conventions, which every OpenTelemetry backend understands. */
const GEN_AI_MAPPING: AttributeMapping = {
  ofClients: [
    GEN_AI.RESPONSE_ID,
    GEN_AI.RESPONSE_FINISH_REASONS,
    ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME,
    ATTRIBUTE.OBSERVATION_MODEL,
    ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS,
    ATTRIBUTE.OBSERVATION_OUTPUT,
    ATTRIBUTE.OBSERVATION_USAGE_DETAILS,
    ATTRIBUTE.OBSERVATION_COST_DETAILS,
    `${ATTRIBUTE.OBSERVATION_METADATA}.citations`,
  ],
  chainAttributes: { [ATTRIBUTE.OBSERVATION_TYPE]: 'chain' },
  retrieverAttributes: { [ATTRIBUTE.OBSERVATION_TYPE]: 'retriever' },
  modelAttributes(request) {
    const operation = request.chat ? 'chat' : 'text_completion'
    const { runName, className, model } = request
    return {
      name: runName ?? [operation, model ?? className].filter(Boolean).join(' '),
      attributes: withParameters({ [GEN_AI.OPERATION_NAME]: operation, ...modelRequestAttributes(request) }),
      content: () => readContent(request),
    }
  },
  responseAttributes: ({ id, model, messages, finishReasons, counts, cost, served }) =>
    responseAttributes({
      id,
      model,
      finishReasons,
      messages: messages.map((message, index) => withFinishReason(toGenAiMessage(message), finishReasons[index])),
      usage: counts && toUsage(counts),
      cost,
      served,
    }),
  toolAttributes: ({ name, callId, input }) => ({
    name: `execute_tool ${name}`,
    attributes: defined({
      [GEN_AI.OPERATION_NAME]: 'execute_tool',
      [GEN_AI.TOOL_NAME]: name,
      [GEN_AI.TOOL_CALL_ID]: callId,
    }),
    content: () => (capturesContent() ? requestContentAttributes({ input }) : {}),
  }),
  toolResultAttributes: (result, callId) =>
    defined({ [GEN_AI.TOOL_CALL_ID]: callId, ...responseAttributes({ result }) }),
  inputAttributes: (value) => textAttribute(ATTRIBUTE.OBSERVATION_INPUT, value),
  outputAttributes: (value) => textAttribute(ATTRIBUTE.OBSERVATION_OUTPUT, value),
  storesMetadata: (key) => !INTERNAL_METADATA.test(key),
  describeError: describeRunError,
}

/** Metadata keys that LangChain and LangGraph use internally. */
const INTERNAL_METADATA = /^(__.*|ls_.*|versions|checkpoint_ns|langgraph_(path|triggers|checkpoint_ns))$/

/** Options of the preload's recorder. */
export const PRELOAD: RunRecorderOptions = {
  mapping: GEN_AI_MAPPING,
  getTracer: () => getTracer('@svc/instrumentation-langchain'),
}

function modelRequestAttributes({ model, provider, parameters }: ModelRequest): Attributes {
  return defined({
    [GEN_AI.PROVIDER_NAME]: provider && (own(PROVIDERS, provider) ?? provider),
    [GEN_AI.REQUEST_MODEL]: model,
    ...readNumbers(parameters, NUMBERS),
    ...readReferences(parameters),
    ...metadataAttributes({
      container_id: asName(parameters.container) ?? asName(asRecord(parameters.container).id),
      cached_content: asName(parameters.cachedContent),
    }),
    [GEN_AI.REQUEST_STOP_SEQUENCES]: readStopSequences(parameters.stop ?? parameters.stop_sequences),
    ...extraParameters(
      {
        tool_choice: parameters.tool_choice,
        parallel_tool_calls: parameters.parallel_tool_calls,
        user: parameters.user,
        logit_bias: parameters.logit_bias,
        logprobs: parameters.logprobs,
        top_logprobs: parameters.top_logprobs,
        service_tier: parameters.service_tier,
        thinking_budget: asRecord(parameters.thinking).budget_tokens ?? parameters.thinkingBudget,
      },
      parameters.response_format,
    ),
  })
}

function readContent({ messages, parameters }: ModelRequest): Attributes {
  if (!capturesContent()) return {}
  // What stands before the messages, and is known to the vendor only.
  const { previous_response_id: previous } = parameters
  const before = previous ? [{ role: 'user', parts: [referencePart('previous response', previous)] }] : []
  return requestContentAttributes({
    messages: [...before, ...messages.map(toGenAiMessage)],
    tools: parameters.tools ?? parameters.functions,
  })
}

function withFinishReason<M extends object>(message: M, reason: string | undefined): M {
  return reason === undefined ? message : { ...message, finish_reason: reason }
}
