import { type Dialect, spoken } from './dialects.ts'

// The documented answers of APIs other than OpenAI's chat completions.

const ID = 'answer-1'
const MODEL = 'model-test-1'
const about = { id: ID, model: MODEL }

const message = { type: 'message', role: 'assistant', ...about }
const thinking = { type: 'thinking', signature: 'c2ln', thinking: spoken.thinking }
const text = { type: 'text', text: spoken.text }

/** An answer of Anthropic's `messages`, whose counts of the prompt are told at its start, the others at its end. */
function messages(
  content: readonly Block[],
  stop_reason: string,
  asked: object,
  usage: object,
): Pick<Dialect, 'answer' | 'chunks'> {
  const blocks = content.flatMap((block, index) => {
    const { start, deltas } = pieces(block)
    return [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
  })
  const opened = {
    ...message,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...asked, output_tokens: 1 },
  }
  return {
    answer: { ...message, content, stop_reason, stop_sequence: null, usage: { ...asked, ...usage } },
    chunks: [
      { type: 'message_start', message: opened },
      ...blocks,
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ],
  }
}

interface Block {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly signature?: string
  readonly input?: object
}

function pieces({ input, ...block }: Block): { start: object; deltas: object[] } {
  const halves = (name: string, type: string, whole: string) =>
    [whole.slice(0, 9), whole.slice(9)].map((piece) => ({ type, [name]: piece }))
  if (input)
    return { start: { ...block, input: {} }, deltas: halves('partial_json', 'input_json_delta', JSON.stringify(input)) }
  if (block.text) return { start: { ...block, text: '' }, deltas: halves('text', 'text_delta', block.text) }
  const { thinking = '', signature } = block
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [...halves('thinking', 'thinking_delta', thinking), { type: 'signature_delta', signature }],
  }
}

/** An answer of Gemini, whose pieces have the counts so far. */
function gemini(parts: readonly object[], usage: object, more: object = {}): Pick<Dialect, 'answer' | 'chunks'> {
  const answer = (parts: readonly object[], usageMetadata: object, end: object = {}) => ({
    responseId: ID,
    modelVersion: MODEL,
    candidates: [{ index: 0, content: { role: 'model', parts }, ...end }],
    usageMetadata,
  })
  const end = { finishReason: 'STOP', ...more }
  return {
    answer: answer(parts, usage, end),
    chunks: parts.map((part, at) => {
      const isLast = at === parts.length - 1
      const soFar = { promptTokenCount: 40, candidatesTokenCount: at, totalTokenCount: 40 + at }
      return isLast ? answer([part], usage, end) : answer([part], soFar)
    }),
  }
}

/** An answer of OpenAI's API of responses: the last event of a stream has all of it. */
function response(output: readonly object[], more: object): Pick<Dialect, 'answer' | 'chunks'> {
  const head = { ...about, object: 'response', created_at: 1_760_000_000, error: null, incomplete_details: null }
  const answer = { ...head, status: 'completed', output, ...more }
  return {
    answer,
    chunks: [
      { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
      ...output.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item: opened(item) },
        ...deltas(item).map((delta) => ({ ...delta, output_index })),
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: 'response.completed', response: answer },
    ].map((event, sequence_number) => ({ ...event, sequence_number })),
  }
}

interface Item {
  readonly type?: string
  readonly id?: string
  readonly content?: readonly { readonly text: string }[]
  readonly arguments?: string
}

const opened = (item: object) => ({
  ...item,
  status: 'in_progress',
  ...('content' in item && { content: [] }),
  ...('summary' in item && { summary: [] }),
  ...('arguments' in item && { arguments: '' }),
})

function deltas({ type, id: item_id, content, arguments: args }: Item): object[] {
  const at = { item_id, content_index: 0 }
  if (type === 'function_call') return [{ type: 'response.function_call_arguments.delta', item_id, delta: args }]
  if (type === 'reasoning')
    return [
      {
        type: 'response.reasoning_summary_part.added',
        item_id,
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      },
      { type: 'response.reasoning_summary_text.delta', item_id, summary_index: 0, delta: spoken.thinking },
      {
        type: 'response.reasoning_summary_part.done',
        item_id,
        summary_index: 0,
        part: { type: 'summary_text', text: spoken.thinking },
      },
    ]
  return (content ?? []).flatMap((part) => [
    { type: 'response.content_part.added', ...at, part: { ...part, text: '', annotations: [] } },
    { type: 'response.output_text.delta', ...at, delta: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part },
  ])
}

const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  status: 'completed',
  summary: [{ type: 'summary_text', text: spoken.thinking }],
}
const said = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: spoken.text, annotations: [], logprobs: [] }],
}
const CITIES = ['Paris', 'Rome']
const calls = CITIES.map((city) => `weather({"city":"${city}"})`)
const counted = {
  input_tokens: 40,
  input_tokens_details: { cached_tokens: 16 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 10 },
  total_tokens: 60,
}
const counts = { input: 24, output: 10, input_cached_tokens: 16, output_reasoning_tokens: 10, total: 60 }

export const MESSAGES: Readonly<Record<string, Dialect>> = {
  'Anthropic: thinking, cache, tier, searches': {
    ...messages(
      [thinking, text],
      'end_turn',
      {
        input_tokens: 20,
        cache_read_input_tokens: 16,
        cache_creation_input_tokens: 4,
        cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 1 },
        service_tier: 'priority',
      },
      {
        output_tokens: 20,
        output_tokens_details: { thinking_tokens: 10 },
        server_tool_use: { web_search_requests: 2 },
      },
    ),
    expected: {
      ...about,
      ...spoken,
      usage: {
        input: 20,
        output: 10,
        input_cached_tokens: 16,
        input_cache_creation_5m: 3,
        input_cache_creation_1h: 1,
        output_reasoning_tokens: 10,
        web_search_requests: 2,
        total: 60,
      },
      tier: 'priority',
    },
  },
  'Anthropic: calls in pieces': {
    ...messages(
      CITIES.map((city) => ({ type: 'tool_use', id: `toolu_${city}`, name: 'weather', input: { city } })),
      'tool_use',
      { input_tokens: 40 },
      { output_tokens: 20 },
    ),
    expected: { ...about, calls, usage: { input: 40, output: 20, total: 60 } },
  },
  "a router in Anthropic's words: its cost": {
    ...messages([text], 'end_turn', { input_tokens: 40 }, { output_tokens: 20, cost: 0.0021 }),
    expected: { ...about, text: spoken.text, usage: { input: 40, output: 20, total: 60 }, cost: 0.0021 },
  },
}

export const GEMINI: Readonly<Record<string, Dialect>> = {
  'Gemini: thoughts beside the candidates, cached, searches': {
    ...gemini(
      [{ text: spoken.thinking, thought: true }, { text: spoken.text }],
      {
        promptTokenCount: 36,
        toolUsePromptTokenCount: 4,
        cachedContentTokenCount: 16,
        candidatesTokenCount: 10,
        thoughtsTokenCount: 10,
        totalTokenCount: 60,
      },
      { groundingMetadata: { webSearchQueries: ['weather paris'] } },
    ),
    expected: { ...about, ...spoken, usage: { ...counts, web_search_requests: 1 } },
  },
  'Gemini: calls': {
    ...gemini(
      CITIES.map((city) => ({ functionCall: { name: 'weather', args: { city } } })),
      { promptTokenCount: 40, candidatesTokenCount: 20, totalTokenCount: 60 },
    ),
    expected: { ...about, calls, usage: { input: 40, output: 20, total: 60 } },
  },
}

export const RESPONSES: Readonly<Record<string, Dialect>> = {
  'OpenAI: a summary of reasoning, tier': {
    ...response([reasoning, said], { usage: counted, service_tier: 'flex' }),
    expected: { ...about, ...spoken, usage: counts, tier: 'flex' },
  },
  'OpenAI: calls': {
    ...response(
      CITIES.map((city) => ({
        ...{ type: 'function_call', id: `fc_${city}`, call_id: `call_${city}`, status: 'completed' },
        ...{ name: 'weather', arguments: JSON.stringify({ city }) },
      })),
      { usage: { input_tokens: 40, output_tokens: 20, total_tokens: 60 } },
    ),
    expected: { ...about, calls, usage: { input: 40, output: 20, total: 60 } },
  },
  'xAI: cost in ticks': {
    ...response([reasoning, said], { usage: { ...counted, cost_in_usd_ticks: 37_756_000, num_sources_used: 1 } }),
    expected: { ...about, ...spoken, usage: counts, cost: 0.0037756 },
  },
  'OpenRouter: cost of a key of the user': {
    ...response([said], {
      usage: { ...counted, cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } },
    }),
    expected: { ...about, text: spoken.text, usage: counts, cost: 0.021 },
  },
}
