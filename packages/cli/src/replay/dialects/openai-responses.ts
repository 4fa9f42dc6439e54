import { isFields } from '@svc/core/json'
import {
  type AnswerMessage,
  type Dialect,
  EVENT_STREAM,
  type NamedEvent,
  named,
  piecesOf,
  type RecordedAnswer,
} from '../answer.ts'

/** OpenAI's responses. */
export const openAiResponses: Dialect = {
  path: /\/responses$/,
  ids: /^resp_/,
  streamType: EVENT_STREAM,
  whole: (answer, request) => ({ ...responseOf(answer, 'completed', itemsOf(answer)), ...repeated(request) }),
  stream(answer, request) {
    const items = itemsOf(answer)
    const response = (state: string, output: readonly Item[]) => ({
      ...responseOf(answer, state, output),
      ...repeated(request),
    })
    const events: NamedEvent[] = [
      { type: 'response.created', response: response('in_progress', []) },
      { type: 'response.in_progress', response: response('in_progress', []) },
      ...items.flatMap(eventsOf),
      { type: 'response.completed', response: response('completed', items) },
    ]
    return events.map((event, sequence_number) => named({ ...event, sequence_number }))
  },
  withSystem: (request, instructions) => ({ ...request, instructions }),
}

/** What a response says again of its request. */
const REPEATED = [
  ...['instructions', 'max_output_tokens', 'metadata', 'parallel_tool_calls', 'previous_response_id', 'temperature'],
  ...['text', 'tool_choice', 'tools', 'top_p', 'truncation'],
]

const repeated = ({ reasoning, ...request }: Readonly<Record<string, unknown>>) => ({
  ...Object.fromEntries(REPEATED.flatMap((name) => (request[name] == null ? [] : [[name, request[name]]]))),
  ...(isFields(reasoning) && { reasoning: { summary: null, ...reasoning } }),
})

type Item = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string }

function itemsOf({ id, messages }: RecordedAnswer): Item[] {
  const suffix = id.replace(/^resp_/, '')
  return messages.flatMap(({ thinking, text, calls }: AnswerMessage) => [
    ...(thinking
      ? [{ id: `rs_${suffix}`, type: 'reasoning', summary: [{ type: 'summary_text', text: thinking }] }]
      : []),
    ...(text ? [{ ...message(suffix), status: 'completed', role: 'assistant', content: [outputText(text)] }] : []),
    ...calls.map(({ id: call_id, name, arguments: input }, at) => ({
      ...{ id: `fc_${suffix}_${at}`, type: 'function_call', status: 'completed', call_id, name, arguments: input },
    })),
  ])
}

const message = (suffix: string) => ({ id: `msg_${suffix}`, type: 'message' })
const outputText = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

function eventsOf(item: Item, output_index: number): NamedEvent[] {
  const at = { item_id: item.id, output_index }
  const around = (fresh: object, events: readonly NamedEvent[]) => [
    { type: 'response.output_item.added', output_index, item: { ...item, ...fresh } },
    ...events,
    { type: 'response.output_item.done', output_index, item },
  ]
  if (item.type === 'function_call') {
    return around({ status: 'in_progress', arguments: '' }, [
      { type: 'response.function_call_arguments.delta', ...at, delta: item.arguments },
      { type: 'response.function_call_arguments.done', ...at, arguments: item.arguments, name: item.name } as {
        type: string
      },
    ])
  }
  const isText = item.type === 'message'
  const [part] = (isText ? item.content : item.summary) as [{ readonly text: string }]
  const index = { ...at, ...(isText ? { content_index: 0 } : { summary_index: 0 }) }
  const [partName, textName] = isText
    ? ['response.content_part', 'response.output_text']
    : ['response.reasoning_summary_part', 'response.reasoning_summary_text']
  const extra = isText ? { logprobs: [] } : {}
  const fresh = isText ? { status: 'in_progress', content: [] } : { summary: [] }
  return around(fresh, [
    { type: `${partName}.added`, ...index, part: { ...part, text: '' } },
    ...piecesOf(part.text).map((delta) => ({ type: `${textName}.delta`, ...index, delta, ...extra })),
    { type: `${textName}.done`, ...index, text: part.text, ...extra },
    { type: `${partName}.done`, ...index, part },
  ])
}

const responseOf = (
  { id, created, model, finish, usage, tier }: RecordedAnswer,
  state: string,
  output: readonly Item[],
) => {
  // The reason of an answer that was cut is recorded in place of its status.
  const isCut = state === 'completed' && finish !== undefined && /^(?:max_output_tokens|content_filter)$/.test(finish)
  return {
    ...{ id, object: 'response', created_at: created, status: isCut ? 'incomplete' : state, error: null },
    incomplete_details: isCut ? { reason: finish } : null,
    ...(tier && { service_tier: tier }),
    ...{ instructions: null, max_output_tokens: null, metadata: {}, model, output, parallel_tool_calls: true },
    ...{ previous_response_id: null, reasoning: { effort: null, summary: null }, temperature: 1 },
    ...{ text: { format: { type: 'text' } }, tool_choice: 'auto', tools: [], top_p: 1, truncation: 'disabled' },
    usage:
      state === 'completed'
        ? {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cached },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: usage.reasoning },
            total_tokens: usage.input + usage.output,
          }
        : null,
  }
}
