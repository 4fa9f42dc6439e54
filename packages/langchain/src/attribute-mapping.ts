import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { parsedJson } from '@svc/core/json'
import { own } from '@svc/core/own'
import {
  type AttributeMapping,
  capturesContent,
  describeThrown,
  type ModelRequest,
  type ModelResponse,
  toUsageDetails,
} from '@svc/instrumentation/langchain'
import { createObservationAttributes } from '@svc/tracing'
import { asMessage } from './messages.ts'
import { inputText, outputText } from './values.ts'

/** Recorded model parameters, by their common names. */
const PARAMETERS = [
  'temperature',
  'max_tokens',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'request_timeout',
  'seed',
  'service_tier',
] as const

/** Kinds of tokens whose name in the contract is LangChain's. */
const KIND: Readonly<Record<string, string>> = {
  '"input_cached_tokens"': '"input_cache_read"',
  '"output_reasoning_tokens"': '"output_reasoning"',
  '"input_audio_tokens"': '"input_audio"',
  '"output_audio_tokens"': '"output_audio"',
}
const KINDS = new RegExp(Object.keys(KIND).join('|'), 'g')

/** Maps runs to the service's observation attributes (contract 4.2). */
export const OBSERVATION_ATTRIBUTES: AttributeMapping = {
  ofClients: [
    GEN_AI.RESPONSE_ID,
    ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS,
    ATTRIBUTE.OBSERVATION_OUTPUT,
    ATTRIBUTE.OBSERVATION_USAGE_DETAILS,
    ATTRIBUTE.OBSERVATION_COST_DETAILS,
    `${ATTRIBUTE.OBSERVATION_METADATA}.citations`,
  ],
  ofClient(name, value) {
    if (name === ATTRIBUTE.OBSERVATION_USAGE_DETAILS)
      return String(value).replaceAll(KINDS, (kind) => own(KIND, kind) ?? kind)
    return name === ATTRIBUTE.OBSERVATION_OUTPUT ? singleMessage(String(value)) : value
  },
  chainAttributes: createObservationAttributes('span', {}),
  retrieverAttributes: createObservationAttributes('span', {}),
  modelAttributes: (question) => ({
    name: question.runName ?? question.className ?? 'Langchain Run',
    attributes: {
      // The service reads the observation type; other destinations read this, and get the rest translated.
      [GEN_AI.OPERATION_NAME]: question.chat ? 'chat' : 'text_completion',
      ...createObservationAttributes('generation', {
        model: question.model,
        modelParameters: parametersOf(question),
      }),
    },
    content: () => input(inputOf(question)),
  }),
  responseAttributes: ({ id, model, counts, cost, served, ...answer }) => ({
    ...(id === undefined ? {} : { [GEN_AI.RESPONSE_ID]: id }),
    ...createObservationAttributes('generation', {
      // A deployment may have any name; the response names the model.
      model,
      // Written over those requested.
      modelParameters: served && Object.keys(served).length > 0 ? served : undefined,
      usageDetails: counts && toUsageDetails(counts),
      costDetails: cost === undefined ? undefined : { total: cost },
    }),
    ...output(outputOf(answer)),
  }),
  toolAttributes: (call) => ({
    name: call.name,
    attributes: {
      [GEN_AI.OPERATION_NAME]: 'execute_tool',
      [GEN_AI.TOOL_NAME]: call.name,
      ...createObservationAttributes('tool', {}),
    },
    content: () => input(call.input),
  }),
  toolResultAttributes: (result) => output(result),
  inputAttributes: input,
  outputAttributes: output,
  storesMetadata: () => true,
  describeError: describeThrown,
}

/** A client writes a list of messages. LangChain's message has less: of several dialects no reasoning, and no call. */
function singleMessage(text: string): string {
  const messages = parsedJson(text)
  if (!Array.isArray(messages) || messages.length !== 1) return text
  const { role, ...message } = messages[0]
  return JSON.stringify({ role, content: '', ...message })
}

function input(value: unknown): Attributes {
  return capturesContent() ? withoutType({ input: inputText(value) }) : {}
}

function output(value: unknown): Attributes {
  return capturesContent() ? withoutType({ output: outputText(value) }) : {}
}

function withoutType(fields: { input?: string | undefined; output?: string | undefined }): Attributes {
  const { [TYPE]: _, ...attributes } = createObservationAttributes('span', fields)
  return attributes
}

const [TYPE = ''] = Object.keys(createObservationAttributes('span', {}))

function parametersOf({ parameters }: ModelRequest): Record<string, string | number> | undefined {
  const entries = PARAMETERS.flatMap((name) => {
    const value = parameters[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : []
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function inputOf({ chat, messages, parameters }: ModelRequest): unknown {
  const prompt = chat ? messages.map(asMessage) : messages.map(({ content }) => content)
  const { tools, tool_choice } = parameters
  if (tools === undefined && tool_choice === undefined) return prompt
  return { messages: prompt, tools, tool_choice }
}

/** A single output is not wrapped in an array: a message, or the text of a completion model. */
function outputOf({ messages, chat }: Pick<ModelResponse, 'messages' | 'chat'>): unknown {
  const outputs = messages.map((message) => (chat ? asMessage(message) : message.content))
  return outputs.length > 1 ? outputs : outputs[0]
}
