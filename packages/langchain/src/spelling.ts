import type { Attributes } from '@opentelemetry/api'
import {
  asSimple,
  asUsageDetails,
  capturesContent,
  type ModelAnswer,
  type ModelQuestion,
  type Spelling,
  valueText,
} from '@svc/instrumentation/langchain'
import { createObservationAttributes } from '@svc/tracing'

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
    attributes: createObservationAttributes('generation', {
      model: question.model,
      modelParameters: parametersOf(question),
    }),
    content: () => said('input', inputOf(question)),
  }),
  answer: ({ messages, counts, ...answer }) => ({
    ...createObservationAttributes('generation', { usageDetails: counts && asUsageDetails(counts) }),
    ...said('output', outputOf({ messages, ...answer })),
  }),
  tool: ({ name, input }) => ({
    name,
    attributes: createObservationAttributes('tool', {}),
    content: () => said('input', input),
  }),
  result: (result) => said('output', result),
}

function said(field: 'input' | 'output', value: unknown): Attributes {
  if (!capturesContent()) return {}
  const { [TYPE]: _, ...attributes } = createObservationAttributes('span', { [field]: valueText(value) })
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
  const asked = chat ? messages.map(asSimple) : messages.map(({ content }) => content)
  const { tools, tool_choice } = parameters
  if (tools === undefined && tool_choice === undefined) return asked
  return { messages: asked, tools, tool_choice }
}

/** One answer stands for itself: a message, or the text of a model that knows no messages. */
function outputOf({ messages, chat }: ModelAnswer): unknown {
  const given = messages.map((message) => (chat ? asSimple(message) : message.content))
  return given.length > 1 ? given : given[0]
}
