import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import { Accumulator, byType, type Events } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { countsAsOutput, each, last, list, type MergeTable, object, text } from '../gen-ai/merge.ts'
import { asArray, asNumber, asRecord, type Fields, isObject } from '../gen-ai/read.ts'

/** The accumulated fields: enough for streams that end before the last event. */
const TABLE: MergeTable = {
  id: last,
  model: last,
  // The last event has the whole response.
  response: object,
  error: object,
  thoughts: text,
  output: list(
    {
      ...{ started: object, done: object, text, refusal: text, thought: text, input: text, annotations: each },
      commands: list({ text }),
      sound: countsAsOutput(last),
    },
    ({ index }) => asNumber(index),
  ),
}

/** Perplexity's, which say what it does next; its answer repeats none of it. */
const STEPS = ['started', 'search_queries', 'search_results', 'fetch_url_queries', 'fetch_url_results', 'stopped']

const EVENTS: Events = {
  ...Object.fromEntries(STEPS.map((step) => [`response.reasoning.${step}`, readThought])),
  'response.created': ({ response }) => ({ id: asRecord(response).id, model: asRecord(response).model }),
  'response.completed': readLastEvent,
  'response.incomplete': readLastEvent,
  // Perplexity's has no response.
  'response.failed': ({ response, error }) => ({
    response: { ...(isObject(error) && { status: 'failed', error }), ...asRecord(response) },
  }),
  // Of a realtime session.
  'response.done': readLastEvent,
  'response.text.delta': readItemField('text'),
  'response.audio_transcript.delta': readItemField('text'),
  'response.output_audio_transcript.delta': readItemField('text'),
  // The audio itself is not kept.
  'response.audio.delta': readItemField('sound', 'type'),
  'response.output_audio.delta': readItemField('sound', 'type'),
  // Some servers have an object with both, as everywhere else.
  error: ({ code, message, error }) => ({ error: { code, message, ...asRecord(error) } }),
  'response.output_item.added': readItemField('started', 'item'),
  'response.output_item.done': readItemField('done', 'item'),
  'response.output_text.delta': readItemField('text'),
  'response.output_text.annotation.added': readItemField('annotations', 'annotation'),
  'response.refusal.delta': readItemField('refusal'),
  'response.reasoning_summary_text.delta': readItemField('thought'),
  'response.reasoning_text.delta': readItemField('thought'),
  'response.function_call_arguments.delta': readItemField('input'),
  'response.custom_tool_call_input.delta': readItemField('input'),
  'response.mcp_call_arguments.delta': readItemField('input'),
  'response.code_interpreter_call_code.delta': readItemField('input'),
  'response.shell_call_command.delta': ({ output_index: index, command_index, delta }) => ({
    output: [{ index, commands: [{ index: command_index, text: delta }] }],
  }),
}

export function createResponseAccumulator(read: (response: Fields) => ResponseContent): StreamAccumulator {
  return new Accumulator({
    toDelta: byType('type', EVENTS),
    table: TABLE,
    isComplete: ({ response }) => response !== undefined,
    readResponse({ response, id, model, error, output, thoughts }) {
      const items = asArray(output).map((item) => readItem(asRecord(item)))
      const before = thoughts === undefined ? [] : [{ type: 'reasoning', summary: [{ text: thoughts }] }]
      const whole = response === undefined ? undefined : asRecord(response)
      // That of a failure may be empty, after the model has said something.
      const received = asArray(whole?.output).length > 0 ? asArray(whole?.output) : items
      const failed = !whole && error ? { status: 'failed', error } : {}
      return read({ id, model, ...whole, output: [...before, ...received], ...failed })
    },
  })
}

function readLastEvent({ response }: Fields): Fields {
  return { response: asRecord(response) }
}

function readThought({ thought }: Fields): Fields {
  return { thoughts: thought }
}

/** Returns a function that reads one field of an item from an event. */
function readItemField(field: string, source = 'delta') {
  return (event: Fields): Fields => ({ output: [{ index: event.output_index, [field]: event[source] }] })
}

/** Returns the received part of an item. */
function readItem({ started, done, text, refusal, thought, input, annotations, commands }: Fields): Fields {
  if (done) return asRecord(done)
  const item: Fields = { type: 'message', ...asRecord(started) }
  if (item.type === 'reasoning') return { ...item, summary: [{ text: thought }] }
  if (item.type === 'code_interpreter_call') return { ...item, code: input ?? item.code }
  if (commands) return { ...item, action: { commands: asArray(commands).map((command) => asRecord(command).text) } }
  if (item.type !== 'message') return { ...item, arguments: input, input }
  const content = [
    ...(text === undefined ? [] : [{ type: 'output_text', text, annotations }]),
    ...(refusal === undefined ? [] : [{ type: 'refusal', refusal }]),
  ]
  return { ...item, content }
}
