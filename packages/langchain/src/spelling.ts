import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import {
  asUsageDetails,
  capturesContent,
  describeThrown,
  type ModelAnswer,
  type ModelQuestion,
  type Spelling,
} from '@svc/instrumentation/langchain'
import { createObservationAttributes } from '@svc/tracing'
import { asMessage } from './messages.ts'
import { inputText, outputText } from './values.ts'

/** Parameters that are kept, by the names that most providers have for them. */
const PARAMETERS = [
  'temperature',
  'max_tokens',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'request_timeout',
] as const

/** In the service's own words, as the handler always wrote (contract 4.2). */
export const OBSERVATIONS: Spelling = {
  chain: createObservationAttributes('span', {}),
  retriever: createObservationAttributes('span', {}),
  model: (question) => ({
    name: question.runName ?? question.className ?? 'Langchain Run',
    attributes: {
      // The service reads the type; other destinations this, and the rest is translated for them.
      [GEN_AI.OPERATION_NAME]: question.chat ? 'chat' : 'text_completion',
      ...createObservationAttributes('generation', {
        model: question.model,
        modelParameters: parametersOf(question),
      }),
    },
    content: () => input(inputOf(question)),
  }),
  answer: ({ model, counts, cost, ...answer }) => ({
    ...createObservationAttributes('generation', {
      // A deployment may have any name; the answer names the model.
      model,
      usageDetails: counts && asUsageDetails(counts),
      costDetails: cost === undefined ? undefined : { total: cost },
    }),
    ...output(outputOf(answer)),
  }),
  tool: (call) => ({
    name: call.name,
    attributes: {
      [GEN_AI.OPERATION_NAME]: 'execute_tool',
      [GEN_AI.TOOL_NAME]: call.name,
      ...createObservationAttributes('tool', {}),
    },
    content: () => input(call.input),
  }),
  result: (result) => output(result),
  input,
  output,
  stores: () => true,
  failure: describeThrown,
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

function parametersOf({ parameters }: ModelQuestion): Record<string, string | number> | undefined {
  const entries = PARAMETERS.flatMap((name) => {
    const value = parameters[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : []
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function inputOf({ chat, messages, parameters }: ModelQuestion): unknown {
  const asked = chat ? messages.map(asMessage) : messages.map(({ content }) => content)
  const { tools, tool_choice } = parameters
  if (tools === undefined && tool_choice === undefined) return asked
  return { messages: asked, tools, tool_choice }
}

/** One answer stands for itself: a message, or the text of a model that knows no messages. */
function outputOf({ messages, chat }: Pick<ModelAnswer, 'messages' | 'chat'>): unknown {
  const given = messages.map((message) => (chat ? asMessage(message) : message.content))
  return given.length > 1 ? given : given[0]
}
