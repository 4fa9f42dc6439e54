import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import type { ReceivedSpan, Value } from '../received.ts'
import { dotted } from './io-dotted.ts'
import { contentEvents, eventsAttribute, inferenceEvent, messageEvents } from './io-events.ts'
import { genAiMessages } from './io-messages.ts'
import { isEmpty } from './read.ts'

/** Input and output of a span, and the attributes they were taken from. */
export interface Io {
  readonly input?: Value | undefined
  readonly output?: Value | undefined
  readonly used: readonly string[]
}

type Source = (span: ReceivedSpan) => Io

/** Input and output: both from the first source that has either of them (contract 5.4, sources 1 to 20). */
export function ioOf(span: ReceivedSpan): Io {
  for (const source of SOURCES) {
    const io = source(span)
    if (!isEmpty(io.input) || !isEmpty(io.output)) return io
  }
  return { used: [] }
}

const SOURCES: readonly Source[] = [
  keys([ATTRIBUTE.OBSERVATION_INPUT], [ATTRIBUTE.OBSERVATION_OUTPUT]),
  inScope('genkit-tracer', keys(['genkit:input'], ['genkit:output'])),
  inScope('ai', aiSdk),
  keys(
    ['flue.tool.arguments', 'flue.tool.call.arguments', 'flue.task.prompt', 'flue.turn.input', 'flue.workflow.payload'],
    [
      'flue.tool.result',
      'flue.tool.call.result',
      'flue.task.result',
      'flue.turn.output',
      'flue.workflow.result',
      'flue.operation.result',
    ],
  ),
  inferenceEvent,
  messageEvents,
  contentEvents,
  vertexAgent,
  keys(['prompt'], ['all_messages_events']),
  keys(
    ['lk.function_tool.arguments', 'lk.user_input', 'lk.user_transcript', 'lk.input_text', 'lk.chat_ctx'],
    ['lk.function_tool.output', 'lk.response.text'],
  ),
  eventsAttribute,
  keys(['mlflow.spanInputs'], ['mlflow.spanOutputs']),
  keys(['traceloop.entity.input'], ['traceloop.entity.output']),
  keys(['input.value'], ['output.value']),
  keys(['input'], ['output']),
  keys(['pydantic_ai.all_messages'], ['final_result', 'pydantic_ai.final_result']),
  keys(['tool_arguments'], ['tool_response']),
  dotted(`${GEN_AI.PREFIX}prompt`, `${GEN_AI.PREFIX}completion`),
  dotted('llm.input_messages', 'llm.output_messages'),
  genAiMessages,
  keys([GEN_AI.TOOL_CALL_ARGUMENTS], [GEN_AI.TOOL_CALL_RESULT]),
]

/** The first key with a value, for each side. */
function keys(inputs: readonly string[], outputs: readonly string[]): Source {
  return ({ attributes }) => {
    const input = inputs.find((key) => !isEmpty(attributes[key]))
    const output = outputs.find((key) => !isEmpty(attributes[key]))
    return {
      input: input === undefined ? undefined : attributes[input],
      output: output === undefined ? undefined : attributes[output],
      used: [input, output].filter((key) => key !== undefined),
    }
  }
}

function inScope(name: string, source: Source): Source {
  return (span) => (span.scope.name === name ? source(span) : { used: [] })
}

const AI_SDK = keys(
  ['ai.prompt.messages', 'ai.prompt', 'ai.toolCall.args', 'ai.value', 'ai.values'],
  [
    'ai.response.text',
    'ai.result.text',
    'ai.toolCall.result',
    'ai.response.object',
    'ai.result.object',
    'ai.response.toolCalls',
    'ai.result.toolCalls',
  ],
)

// A model that answers with text and tool calls at once: neither may hide the other.
function aiSdk(span: ReceivedSpan): Io {
  const io = AI_SDK(span)
  const text = span.attributes['ai.response.text']
  const toolCalls = span.attributes['ai.response.toolCalls']
  if (text === undefined || isEmpty(text) || toolCalls === undefined || isEmpty(toolCalls)) return io
  return {
    ...io,
    output: { role: 'assistant', content: text, tool_calls: toolCalls },
    used: [...io.used, 'ai.response.toolCalls'],
  }
}

const VERTEX = keys(
  ['gcp.vertex.agent.llm_request', 'gcp.vertex.agent.tool_call_args', 'gcp.vertex.agent.data'],
  ['gcp.vertex.agent.llm_response', 'gcp.vertex.agent.tool_response'],
)

// The agent kit writes `{}` where it has nothing to say.
function vertexAgent(span: ReceivedSpan): Io {
  const said = Object.entries(span.attributes).filter(([, value]) => value !== '{}')
  return VERTEX({ ...span, attributes: Object.fromEntries(said) })
}
