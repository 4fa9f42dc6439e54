import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import type { ReceivedSpan, Value } from '../../store/received.ts'
import { aiSdk } from './io-ai-sdk.ts'
import { dotted } from './io-dotted.ts'
import { eventsAttribute, inferenceEvent, messageEvents } from './io-events.ts'
import { genAiMessages, withSystem } from './io-messages.ts'
import { isEmpty, mapOf } from './read.ts'

/** Input and output of a span. */
export interface Io {
  readonly input?: Value | undefined
  readonly output?: Value | undefined
}

/** Reads both halves from one place of a span; undefined where that place has neither. */
export type IoSource = (span: ReceivedSpan) => Io | undefined

/**
 * Input and output, as the service reads them: the first source with EITHER half ends the search, and the other half
 * then stays empty.
 */
export function ioOf(span: ReceivedSpan): Io {
  for (const source of SOURCES) {
    const io = source(span)
    if (io) return io
  }
  return {}
}

const FLUE_INPUTS = [
  'flue.tool.arguments',
  'flue.tool.call.arguments',
  'flue.task.prompt',
  'flue.turn.input',
  'flue.workflow.payload',
]
const FLUE_OUTPUTS = [
  'flue.tool.result',
  'flue.tool.call.result',
  'flue.task.result',
  'flue.turn.output',
  'flue.workflow.result',
  'flue.operation.result',
]

const SOURCES: readonly IoSource[] = [
  written([ATTRIBUTE.OBSERVATION_INPUT], [ATTRIBUTE.OBSERVATION_OUTPUT]),
  inScope('genkit-tracer', genkit),
  inScope('ai', aiSdk),
  inScope('@flue/opentelemetry', written(FLUE_INPUTS, FLUE_OUTPUTS)),
  inferenceEvent,
  messageEvents,
  contentEvents,
  vertexAgent,
  filled(['prompt'], ['all_messages_events']),
  filled(['lk.input_text', 'lk.user_transcript', 'lk.chat_ctx'], ['lk.function_tool.output', 'lk.response.text']),
  eventsAttribute,
  filled(['mlflow.spanInputs'], ['mlflow.spanOutputs']),
  filled(['traceloop.entity.input'], ['traceloop.entity.output']),
  filled(['input.value'], ['output.value']),
  filled(['input'], ['output']),
  inScope('pydantic-ai', pydanticAi),
  filled(['tool_arguments'], ['tool_response']),
  dotted(`${GEN_AI.PREFIX}prompt`, `${GEN_AI.PREFIX}completion`),
  dotted('llm.input_messages', 'llm.output_messages'),
  genAiMessages,
]

/** The first key of each half that was written, be it with an empty text. */
function written(inputs: readonly string[], outputs: readonly string[]): IoSource {
  return first(inputs, outputs, (value) => value !== undefined && value !== null)
}

/** The first key of each half that has a value. */
function filled(inputs: readonly string[], outputs: readonly string[]): IoSource {
  return first(inputs, outputs, (value) => !isEmpty(value))
}

function first(
  inputs: readonly string[],
  outputs: readonly string[],
  counts: (value: Value | undefined) => boolean,
): IoSource {
  return ({ attributes }) => {
    const [input, output] = [inputs, outputs].map(
      (keys) => attributes[keys.find((key) => counts(attributes[key])) ?? ''],
    )
    return input === undefined && output === undefined ? undefined : { input, output }
  }
}

/** A source that only spans of one scope have. */
function inScope(name: string, source: IoSource): IoSource {
  return (span) => (span.scope.name === name ? source(span) : undefined)
}

/** Ends the search, whether it has anything or not. */
function genkit({ attributes }: ReceivedSpan): Io {
  const [input, output] = [attributes['genkit:input'], attributes['genkit:output']]
  return { input: mapOf(input)?.messages ?? input, output: mapOf(output)?.message ?? output }
}

/** The oldest form: `gen_ai.content.prompt` and `gen_ai.content.completion`, whose attributes are read like a span's. */
function contentEvents(span: ReceivedSpan): Io | undefined {
  const [prompt, completion] = ['prompt', 'completion'].map((half) =>
    span.events.find(({ name }) => name === `${GEN_AI.PREFIX}content.${half}`),
  )
  if (!prompt && !completion) return undefined
  const read = (event: typeof prompt) => (event ? ioOf({ ...span, attributes: event.attributes, events: [] }) : {})
  return { input: read(prompt).input, output: read(completion).output }
}

/** The agent kit writes `{}` where it has nothing to say. */
function vertexAgent({ attributes }: ReceivedSpan): Io | undefined {
  const value = (key: string) => {
    const found = attributes[`gcp.vertex.agent.${key}`]
    return isEmpty(found) || found === '{}' ? undefined : found
  }
  const input = value('llm_request') ?? value('tool_call_args')
  const output = value('llm_response') ?? value('tool_response')
  return input === undefined && output === undefined ? undefined : { input, output }
}

function pydanticAi({ attributes }: ReceivedSpan): Io | undefined {
  const { 'pydantic_ai.all_messages': messages, final_result: result } = attributes
  if (isEmpty(messages) && isEmpty(result)) return undefined
  return { input: withSystem(messages, attributes), output: result }
}
