import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { capturesContent } from '../gen-ai/configure.ts'
import { moreParameters, type NumberTable, numbersOf, stopsOf } from '../gen-ai/parameters.ts'
import { asRecord, defined, entryOf } from '../gen-ai/read.ts'
import { tracerOf } from '../record/tracer.ts'
import { requestContentAttributes, responseAttributes, withParameters } from '../record/write.ts'
import { textAttribute } from './attributes.ts'
import { describe } from './failing.ts'
import { asGenAi } from './messages.ts'
import type { Manner, ModelQuestion, Spelling } from './spelling.ts'
import { asUsage } from './usage.ts'

const NUMBERS: NumberTable = [
  [GEN_AI.REQUEST_TEMPERATURE, ['temperature']],
  [GEN_AI.REQUEST_TOP_P, ['top_p', 'topP']],
  [GEN_AI.REQUEST_TOP_K, ['top_k', 'topK']],
  [GEN_AI.REQUEST_MAX_TOKENS, ['max_completion_tokens', 'max_output_tokens', 'max_tokens', 'maxOutputTokens']],
  [GEN_AI.REQUEST_FREQUENCY_PENALTY, ['frequency_penalty']],
  [GEN_AI.REQUEST_PRESENCE_PENALTY, ['presence_penalty']],
  [GEN_AI.REQUEST_SEED, ['seed']],
]

/** LangChain's names of providers that the conventions have another word for. */
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

/** In the words of the GenAI conventions, so that every OpenTelemetry backend understands them. */
const GEN_AI_SPELLING: Spelling = {
  chain: { [ATTRIBUTE.OBSERVATION_TYPE]: 'chain' },
  retriever: { [ATTRIBUTE.OBSERVATION_TYPE]: 'retriever' },
  model(question) {
    const operation = question.chat ? 'chat' : 'text_completion'
    const { runName, className, model } = question
    return {
      name: runName ?? [operation, model ?? className].filter(Boolean).join(' '),
      attributes: withParameters({ [GEN_AI.OPERATION_NAME]: operation, ...requestAttributes(question) }),
      content: () => contentOf(question),
    }
  },
  answer: ({ id, model, messages, finishReasons, counts, cost, tier }) =>
    responseAttributes({
      id,
      model,
      finishReasons,
      messages: messages.map((message, index) => withReason(asGenAi(message), finishReasons[index])),
      usage: counts && asUsage(counts),
      cost,
      served: tier === undefined ? undefined : { service_tier: tier },
    }),
  tool: ({ name, callId, input }) => ({
    name: `execute_tool ${name}`,
    attributes: defined({
      [GEN_AI.OPERATION_NAME]: 'execute_tool',
      [GEN_AI.TOOL_NAME]: name,
      [GEN_AI.TOOL_CALL_ID]: callId,
    }),
    content: () => (capturesContent() ? requestContentAttributes({ input }) : {}),
  }),
  result: (result, callId) => defined({ [GEN_AI.TOOL_CALL_ID]: callId, ...responseAttributes({ result }) }),
  input: (value) => textAttribute(ATTRIBUTE.OBSERVATION_INPUT, value),
  output: (value) => textAttribute(ATTRIBUTE.OBSERVATION_OUTPUT, value),
  stores: (key) => !NOTES.test(key),
  failure: describe,
}

/** What LangChain and LangGraph note for themselves. */
const NOTES = /^(__.*|ls_.*|versions|checkpoint_ns|langgraph_(path|triggers|checkpoint_ns))$/

/** The runs that the preload sees. */
export const SEEN: Manner = {
  spelling: GEN_AI_SPELLING,
  tracer: () => tracerOf('@svc/instrumentation-langchain'),
}

function requestAttributes({ model, provider, parameters }: ModelQuestion): Attributes {
  return defined({
    [GEN_AI.PROVIDER_NAME]: provider && (entryOf(PROVIDERS, provider) ?? provider),
    [GEN_AI.REQUEST_MODEL]: model,
    ...numbersOf(parameters, NUMBERS),
    [GEN_AI.REQUEST_STOP_SEQUENCES]: stopsOf(parameters.stop ?? parameters.stop_sequences),
    ...moreParameters(
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

function contentOf({ messages, parameters }: ModelQuestion): Attributes {
  if (!capturesContent()) return {}
  return requestContentAttributes({ messages: messages.map(asGenAi), tools: parameters.tools ?? parameters.functions })
}

function withReason<M extends object>(message: M, reason: string | undefined): M {
  return reason === undefined ? message : { ...message, finish_reason: reason }
}
