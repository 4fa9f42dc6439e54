/** What is recorded of an answer, whichever client reads it. */
export interface Expected {
  readonly id?: string
  readonly model?: string
  readonly text?: string
  readonly thinking?: string
  /** As source text: `weather({"city":"Paris"})`. */
  readonly calls?: readonly string[]
  readonly usage: Readonly<Record<string, number>>
  readonly cost?: number
  readonly tier?: string
  readonly citations?: readonly unknown[]
}

/** The documented form of one vendor's answers, where it differs from that of OpenAI. */
export interface Dialect {
  /** The whole answer. */
  readonly answer: object
  /** Of the response. */
  readonly headers?: Readonly<Record<string, string>>
  /** The events of a stream. */
  readonly chunks: readonly object[]
  readonly expected: Expected
}

const ANSWER = 'Sunny in Paris.'
const THOUGHTS = 'The user wants the weather.'
const head = { id: 'chatcmpl-1', created: 1_760_000_000, model: 'model-test-1' }
const sunny = { prompt_tokens: 40, completion_tokens: 20, total_tokens: 60 }
/** What OpenAI reports of an answer with half of the prompt from the cache, and half of the completion reasoning. */
const detailed = {
  ...sunny,
  prompt_tokens_details: { cached_tokens: 16 },
  completion_tokens_details: { reasoning_tokens: 10 },
}
const both = { input: 24, output: 10, input_cached_tokens: 16, output_reasoning_tokens: 10, total: 60 }
const cached = { input: 24, output: 20, input_cached_tokens: 16, total: 60 }

const answer = (message: object, more: object = {}) => ({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  ...more,
})
const event = (choices: readonly object[], more: object = {}) => ({
  ...head,
  object: 'chat.completion.chunk',
  choices,
  ...more,
})
const chunk = (delta: object, more?: object) => event([{ index: 0, delta, finish_reason: null }], more)
const end = (more?: object, choice: object = {}) =>
  event([{ index: 0, delta: {}, finish_reason: 'stop', ...choice }], more)
const usageEvent = (usage: object) => event([], { usage })

/** Text as two pieces. */
const inPieces = (field: string, text: string, more?: object) => [
  chunk({ role: 'assistant', [field]: text.slice(0, 9) }, more),
  chunk({ [field]: text.slice(9) }, more),
]
const thought = (field: string, more?: object) => [
  ...inPieces(field, THOUGHTS, more),
  ...inPieces('content', ANSWER, more),
]

const CITIES = ['Paris', 'Rome']
const args = (city: string) => JSON.stringify({ city })
const call = (city: string, more: object = {}) => ({
  id: `call_${city}`,
  type: 'function',
  function: { name: 'weather', arguments: args(city) },
  ...more,
})
const calls = CITIES.map((city) => `weather(${args(city)})`)
const called = { content: null, tool_calls: CITIES.map((city) => call(city)) }
/** Calls that arrive in pieces, each below its index. */
const callsInPieces = CITIES.flatMap((city, index) => [
  chunk({ tool_calls: [{ ...call(city), index, function: { name: 'weather', arguments: '' } }] }),
  ...[args(city).slice(0, 4), args(city).slice(4)].map((piece) =>
    chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
  ),
])
/** Calls that arrive whole, each in an event of its own. */
const callByCall = (more: object) => CITIES.map((city) => chunk({ tool_calls: [call(city, more)] }))

const SOURCE = { title: 'Weather', url: 'https://weather.test/paris', date: '2026-09-01' }
/** What most answers say. */
export const spoken = { text: ANSWER, thinking: THOUGHTS }

/** What every answer says of itself. */
export const ABOUT = { id: head.id, model: head.model }

export const DIALECTS: Readonly<Record<string, Dialect>> = {
  'vLLM: usage so far with every chunk': {
    answer: answer({ content: ANSWER, reasoning: THOUGHTS, reasoning_content: null }, { usage: detailed }),
    chunks: [
      ...thought('reasoning', { usage: { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 } }),
      end({ usage: { ...detailed, completion_tokens: 19, total_tokens: 59 } }),
      usageEvent(detailed),
    ],
    expected: { ...spoken, usage: both },
  },
  'SGLang: reasoning tokens beside the sums': {
    answer: answer({ content: ANSWER, reasoning_content: THOUGHTS }, { usage: { ...sunny, reasoning_tokens: 10 } }),
    chunks: [...thought('reasoning_content'), end(), usageEvent({ ...sunny, reasoning_tokens: 10 })],
    expected: { ...spoken, usage: { input: 40, output: 10, output_reasoning_tokens: 10, total: 60 } },
  },
  'llama.cpp: a stream without usage has timings': {
    answer: answer(
      { content: ANSWER, reasoning_content: THOUGHTS },
      {
        usage: { ...sunny, prompt_tokens_details: { cached_tokens: 16 } },
        timings: { cache_n: 16, prompt_n: 24, predicted_n: 20, predicted_ms: 81.5 },
      },
    ),
    chunks: [
      ...thought('reasoning_content'),
      end({ timings: { cache_n: 16, prompt_n: 24, predicted_n: 20, predicted_ms: 81.5 } }),
    ],
    expected: { ...spoken, usage: cached },
  },
  'Ollama: calls whole, all at index 0': {
    answer: answer({ ...called, content: '', reasoning: THOUGHTS }, { usage: sunny }),
    chunks: [...inPieces('reasoning', THOUGHTS), ...callByCall({ index: 0 }), end(), usageEvent(sunny)],
    expected: { thinking: THOUGHTS, calls, usage: { input: 40, output: 20, total: 60 } },
  },
  'LM Studio: calls in pieces': {
    answer: answer({ ...called, reasoning_content: THOUGHTS }, { usage: detailed, stats: {} }),
    chunks: [...inPieces('reasoning_content', THOUGHTS), ...callsInPieces, end(), usageEvent(detailed)],
    expected: { thinking: THOUGHTS, calls, usage: both },
  },
  'Groq: usage in its own field, calls whole in one chunk': {
    answer: answer(
      { ...called, reasoning: THOUGHTS },
      {
        usage: { ...detailed, queue_time: 0.02, prompt_time: 0.01, total_time: 0.05 },
        service_tier: 'on_demand',
      },
    ),
    chunks: [
      ...inPieces('reasoning', THOUGHTS),
      chunk({ tool_calls: CITIES.map((city, index) => call(city, { index })) }),
      end({ x_groq: { id: 'req_1', usage: { ...detailed, queue_time: 0.02 } }, service_tier: 'on_demand' }),
    ],
    expected: { thinking: THOUGHTS, calls, usage: both, tier: 'on_demand' },
  },
  'Together: cached tokens beside the sums': {
    answer: answer({ content: ANSWER, reasoning: THOUGHTS }, { usage: { ...sunny, cached_tokens: 16 } }),
    chunks: [...thought('reasoning'), end({ usage: { ...sunny, cached_tokens: 16 } })],
    expected: { ...spoken, usage: cached },
  },
  'Fireworks: usage with the last choice': {
    answer: answer({ ...called, reasoning_content: THOUGHTS }, { usage: detailed }),
    chunks: [...inPieces('reasoning_content', THOUGHTS), ...callsInPieces, end({ usage: detailed })],
    expected: { thinking: THOUGHTS, calls, usage: both },
  },
  'DeepSeek: hits and misses of the cache': {
    answer: answer(
      { content: ANSWER, reasoning_content: THOUGHTS },
      {
        usage: {
          ...sunny,
          prompt_cache_hit_tokens: 16,
          prompt_cache_miss_tokens: 24,
          completion_tokens_details: { reasoning_tokens: 10 },
        },
      },
    ),
    chunks: [
      ...inPieces('reasoning_content', THOUGHTS, { usage: null }),
      ...inPieces('content', ANSWER, { usage: null }),
      end({
        usage: {
          ...sunny,
          prompt_cache_hit_tokens: 16,
          prompt_cache_miss_tokens: 24,
          completion_tokens_details: { reasoning_tokens: 10 },
        },
      }),
    ],
    expected: { ...spoken, usage: both },
  },
  'Moonshot: usage in the last choice': {
    answer: answer({ ...called, reasoning_content: THOUGHTS }, { usage: { ...sunny, cached_tokens: 16 } }),
    chunks: [
      ...inPieces('reasoning_content', THOUGHTS),
      ...callsInPieces,
      end({}, { usage: { ...sunny, cached_tokens: 16 } }),
    ],
    expected: { thinking: THOUGHTS, calls, usage: cached },
  },
  'Mistral: reasoning among the parts of the content': {
    answer: answer(
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: THOUGHTS }] },
          { type: 'text', text: ANSWER },
        ],
      },
      { usage: { ...sunny, num_cached_tokens: 16 } },
    ),
    chunks: [
      ...[THOUGHTS.slice(0, 9), THOUGHTS.slice(9)].map((text) =>
        chunk({ role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] }),
      ),
      ...inPieces('content', ANSWER),
      end({ usage: { ...sunny, num_cached_tokens: 16 } }),
    ],
    expected: { ...spoken, usage: cached },
  },
  'xAI: reasoning beside the completion, cost in ticks': {
    answer: answer(
      { content: ANSWER, reasoning_content: THOUGHTS },
      {
        usage: { ...detailed, completion_tokens: 10, cost_in_usd_ticks: 37_756_000, num_sources_used: 1 },
        citations: [SOURCE.url],
      },
    ),
    chunks: [
      ...thought('reasoning_content'),
      end({
        usage: { ...detailed, completion_tokens: 10, cost_in_usd_ticks: 37_756_000, num_sources_used: 1 },
        citations: [SOURCE.url],
      }),
    ],
    expected: { ...spoken, usage: both, cost: 0.0037756, citations: [SOURCE.url] },
  },
  'Perplexity: usage so far and sources with every chunk, reasoning not among the tokens': {
    answer: answer(
      { content: `<think>\n${THOUGHTS}\n</think>\n\n${ANSWER}` },
      {
        usage: {
          ...sunny,
          citation_tokens: 900,
          num_search_queries: 3,
          reasoning_tokens: 500,
          cost: { input_tokens_cost: 0, output_tokens_cost: 0.01, total_cost: 0.02 },
        },
        citations: [SOURCE.url],
        search_results: [SOURCE],
      },
    ),
    chunks: [`<think>\n${THOUGHTS}`, `\n</think>\n\n${ANSWER}`].map((content, at, pieces) =>
      event(
        [
          {
            index: 0,
            delta: { role: 'assistant', content },
            message: { role: 'assistant', content: pieces.slice(0, at + 1).join('') },
            finish_reason: at === 1 ? 'stop' : null,
          },
        ],
        {
          usage: {
            ...sunny,
            completion_tokens: 10 + 10 * at,
            total_tokens: 50 + 10 * at,
            citation_tokens: 900,
            num_search_queries: 3,
            reasoning_tokens: 500,
            cost: { input_tokens_cost: 0, output_tokens_cost: 0.01, total_cost: 0.01 + 0.01 * at },
          },
          citations: [SOURCE.url],
          search_results: [SOURCE],
        },
      ),
    ),
    expected: {
      ...spoken,
      usage: { input: 40, output: 20, output_reasoning_tokens: 500, web_search_requests: 3, total: 560 },
      cost: 0.02,
      citations: [SOURCE],
    },
  },
  'Cerebras: usage after the last choice': {
    answer: answer(
      { content: ANSWER, reasoning: THOUGHTS },
      { usage: detailed, service_tier: 'default', time_info: {} },
    ),
    chunks: [...thought('reasoning'), end({ service_tier: 'default' }), usageEvent(detailed)],
    expected: { ...spoken, usage: both, tier: 'default' },
  },
  'Cerebras: the tier that was found for "auto"': {
    answer: answer({ content: ANSWER }, { usage: sunny, service_tier_used: 'flex' }),
    chunks: [...inPieces('content', ANSWER), end({ service_tier_used: 'flex' }), usageEvent(sunny)],
    expected: { text: ANSWER, usage: { input: 40, output: 20, total: 60 }, tier: 'flex' },
  },
  'SambaNova: reasoning between tags, speeds among the counts': {
    answer: answer(
      { content: `<think>${THOUGHTS}</think>\n\n${ANSWER}` },
      {
        usage: { ...sunny, is_last_response: true, total_tokens_per_sec: 812.5, acceptance_rate: 4.1 },
      },
    ),
    chunks: [
      ...inPieces('content', `<think>${THOUGHTS}</think>\n\n${ANSWER}`),
      end(),
      usageEvent({ ...sunny, is_last_response: true, total_tokens_per_sec: 812.5, acceptance_rate: 4.1 }),
    ],
    expected: { ...spoken, usage: { input: 40, output: 20, total: 60 } },
  },
  'OpenRouter: cost with a key of the user, cache writes, searches': {
    answer: answer(
      {
        content: ANSWER,
        reasoning: THOUGHTS,
        reasoning_details: [{ type: 'reasoning.text', text: THOUGHTS }],
        annotations: [{ type: 'url_citation', url_citation: SOURCE }],
      },
      {
        usage: {
          ...sunny,
          prompt_tokens_details: { cached_tokens: 16, cache_write_tokens: 4 },
          completion_tokens_details: { reasoning_tokens: 10 },
          server_tool_use: { web_search_requests: 1 },
          cost: 0.001,
          is_byok: true,
          cost_details: { upstream_inference_cost: 0.02 },
        },
      },
    ),
    chunks: [
      ...thought('reasoning'),
      chunk({ annotations: [{ type: 'url_citation', url_citation: SOURCE }] }),
      end(),
      event([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }], {
        usage: {
          ...sunny,
          prompt_tokens_details: { cached_tokens: 16, cache_write_tokens: 4 },
          completion_tokens_details: { reasoning_tokens: 10 },
          server_tool_use: { web_search_requests: 1 },
          cost: '0.001',
          is_byok: true,
          cost_details: { upstream_inference_cost: '0.02' },
        },
      }),
    ],
    expected: {
      ...spoken,
      usage: {
        input: 20,
        output: 10,
        input_cached_tokens: 16,
        input_cache_creation: 4,
        output_reasoning_tokens: 10,
        web_search_requests: 1,
        total: 60,
      },
      cost: 0.021,
      citations: [{ type: 'url_citation', url_citation: SOURCE }],
    },
  },
  'MiniMax: reasoning only among the details': {
    answer: answer(
      { content: ANSWER, reasoning_details: [{ type: 'reasoning.text', index: 0, text: THOUGHTS }] },
      { usage: detailed },
    ),
    chunks: [
      ...[THOUGHTS.slice(0, 9), THOUGHTS.slice(9)].map((text) =>
        chunk({ role: 'assistant', reasoning_details: [{ type: 'reasoning.text', index: 0, text }] }),
      ),
      ...inPieces('content', ANSWER),
      end(),
      usageEvent(detailed),
    ],
    expected: { ...spoken, usage: both },
  },
  'Qwen: pieces of a call with an empty id': {
    answer: answer({ ...called, content: '', reasoning_content: THOUGHTS }, { usage: detailed }),
    chunks: [
      ...inPieces('reasoning_content', THOUGHTS),
      ...CITIES.flatMap((city, index) => [
        chunk({ tool_calls: [{ ...call(city), index, function: { name: 'weather', arguments: '' } }] }),
        chunk({ tool_calls: [{ index, id: '', type: 'function', function: { name: '', arguments: args(city) } }] }),
      ]),
      end(),
      usageEvent(detailed),
    ],
    expected: { thinking: THOUGHTS, calls, usage: both },
  },
  "LiteLLM: what is in Anthropic's cache beside the prompt": {
    answer: answer(
      { content: ANSWER, reasoning_content: THOUGHTS, thinking_blocks: [] },
      {
        usage: {
          ...sunny,
          prompt_tokens_details: { cached_tokens: 500 },
          cache_read_input_tokens: 500,
          cache_creation_input_tokens: 30,
          cost: '0.004',
        },
      },
    ),
    chunks: [
      ...thought('reasoning_content'),
      end(),
      usageEvent({
        ...sunny,
        prompt_tokens_details: { cached_tokens: 500 },
        cache_read_input_tokens: 500,
        cache_creation_input_tokens: 30,
        cost: '0.004',
      }),
    ],
    expected: {
      ...spoken,
      usage: { input: 40, output: 20, input_cached_tokens: 500, input_cache_creation: 30, total: 590 },
      cost: 0.004,
    },
  },
  'LiteLLM: cost in a header': {
    answer: answer({ content: ANSWER }, { usage: sunny }),
    headers: { 'x-litellm-response-cost': '0.0042' },
    chunks: [...inPieces('content', ANSWER), end(), usageEvent(sunny)],
    expected: { text: ANSWER, usage: { input: 40, output: 20, total: 60 }, cost: 0.0042 },
  },
  'Azure: a first chunk without choices and names': {
    answer: answer(
      { ...called, refusal: null },
      { usage: detailed, prompt_filter_results: [], service_tier: 'default' },
    ),
    chunks: [
      { id: '', object: '', created: 0, model: '', choices: [], prompt_filter_results: [] },
      ...callsInPieces,
      end({ service_tier: 'default' }),
      usageEvent(detailed),
    ],
    expected: { calls, usage: both, tier: 'default' },
  },
  "Bedrock's endpoint: each piece of reasoning between tags": {
    answer: answer(
      { content: `<reasoning>${THOUGHTS}</reasoning>${ANSWER}` },
      { usage: sunny, service_tier: 'default' },
    ),
    chunks: [
      ...[THOUGHTS.slice(0, 9), THOUGHTS.slice(9)].map((text) => chunk({ content: `<reasoning>${text}</reasoning>` })),
      ...inPieces('content', ANSWER),
      end({ service_tier: 'default' }),
      usageEvent(sunny),
    ],
    expected: { ...spoken, usage: { input: 40, output: 20, total: 60 }, tier: 'default' },
  },
  "Vertex' endpoint: thoughts only in the total": {
    answer: answer(
      { content: `<thought>${THOUGHTS}</thought>${ANSWER}` },
      {
        usage: { ...detailed, completion_tokens: 10, extra_properties: { google: { traffic_type: 'ON_DEMAND_FLEX' } } },
      },
    ),
    chunks: [
      chunk({ content: `<thought>${THOUGHTS}`, extra_content: { google: { thought: true } } }),
      chunk({ content: `</thought>${ANSWER}` }),
      end({
        usage: { ...detailed, completion_tokens: 10, extra_properties: { google: { traffic_type: 'ON_DEMAND_FLEX' } } },
      }),
    ],
    expected: { ...spoken, usage: both, tier: 'flex' },
  },
  'Cloudflare: calls without an index, usage so far with every chunk': {
    answer: answer(called, { usage: sunny }),
    chunks: [
      ...callByCall({}).map((piece) => ({ ...piece, usage: { ...sunny, completion_tokens: 9, total_tokens: 49 } })),
      end({ usage: sunny }),
    ],
    expected: { calls, usage: { input: 40, output: 20, total: 60 } },
  },
  "Vercel's gateway: cost in the message, as text": {
    answer: answer(
      {
        content: ANSWER,
        reasoning: THOUGHTS,
        provider_metadata: { gateway: { cost: '0', marketCost: '0.00042' } },
      },
      { usage: detailed },
    ),
    chunks: [
      ...thought('reasoning'),
      end({ usage: detailed }, { delta: { provider_metadata: { gateway: { cost: '0', marketCost: '0.00042' } } } }),
    ],
    expected: { ...spoken, usage: both, cost: 0.00042 },
  },
}
