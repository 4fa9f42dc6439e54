import { configureGlobalLogger, LogLevel } from '@svc/core/log'
import OpenAI from 'openai'
import { beforeEach, describe, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { configure } from '../gen-ai/configure.ts'
import { type ObserveOpenAIConfig, observeOpenAI } from './observe.ts'

recordSpans()
beforeEach(() => {
  configureGlobalLogger({ level: LogLevel.NONE })
  configure({})
  forgetSpans()
})

type Fields = Readonly<Record<string, unknown>>

/** A client whose server always answers this. */
function answering(answer: Fields | readonly Fields[], config?: ObserveOpenAIConfig, status = 200) {
  const events = Array.isArray(answer) ? answer.map((event) => `data: ${JSON.stringify(event)}\n\n`) : undefined
  const body = events ? [...events, 'data: [DONE]\n\n'].join('') : JSON.stringify(answer)
  const headers = { 'content-type': events ? 'text/event-stream' : 'application/json' }
  const fetch = async () => new Response(body, { status, headers })
  return observeOpenAI(new OpenAI({ apiKey: 'none', maxRetries: 0, fetch }), config)
}

const QUESTION = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'What?' }] }
const chosen = (message: Fields, more: Fields = {}) => ({
  id: 'c-1',
  model: 'gpt-4o-2024-08-06',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  ...more,
})
const response = (...output: Fields[]) => ({
  id: 'r-1',
  object: 'response',
  model: 'gpt-4o',
  status: 'completed',
  output,
})
const text = (outputText: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: outputText }],
})
const called = { type: 'function_call', call_id: 'c-1', name: 'look', arguments: '{"id":1}' }
const CALL = { id: 'call-1', type: 'function', function: { name: 'look', arguments: '{"id":1}' } }

/** What was written in the service's own words, without the words; JSON as what it says. */
function written(): Record<string, unknown> {
  const attributes = Object.entries(finishedSpans()[0]?.attributes ?? {})
  const own = attributes.filter(([name]) => name.startsWith('svc.observation.'))
  return Object.fromEntries(own.map(([name, value]) => [name.slice('svc.observation.'.length), parsed(value)]))
}

function parsed(value: unknown): unknown {
  try {
    return JSON.parse(String(value))
  } catch {
    return value
  }
}

async function askChat(answer: Fields, more: Fields = {}, config?: ObserveOpenAIConfig) {
  await answering(answer, config).chat.completions.create({ ...QUESTION, ...more } as typeof QUESTION)
  return written()
}

async function askResponses(answer: Fields, more: Fields = {}) {
  await answering(answer).responses.create({ model: 'gpt-4o', input: 'What?', ...more })
  return written()
}

describe('the input of an observed OpenAI call', () => {
  it('of a chat is its messages with the tool definitions', async () => {
    const tools = [{ type: 'function', function: { name: 'look', parameters: {} } }]
    const beside = { functions: [{ name: 'old' }], function_call: 'auto', tools, tool_choice: 'auto' }
    expect((await askChat(chosen({ content: 'That.' }), beside)).input).toEqual({
      messages: QUESTION.messages,
      ...beside,
    })
  })

  it('of a chat names every tool, which the service requires', async () => {
    const tools = [{ type: 'custom', custom: { name: 'code' } }, { type: 'web_search' }]
    expect((await askChat(chosen({ content: 'That.' }), { tools })).input).toMatchObject({
      tools: [{ name: 'code' }, { name: 'web_search' }],
    })
  })

  it.each([
    ['input', { input: 'What?' }],
    ['items', { input: [{ role: 'user', content: 'What?' }] }],
  ])('of a response is its %s', async (_, request) => {
    expect((await askResponses(response(text('That.')), request)).input).toEqual(request.input)
  })

  it('of a completion is its prompt, of an embedding its input', async () => {
    await answering({ choices: [{ text: 'That.' }] }).completions.create({ model: 'gpt', prompt: 'What?' })
    expect(written()).toMatchObject({ input: 'What?', output: 'That.' })
    forgetSpans()
    const embedding = Buffer.from(new Float32Array([0.5]).buffer).toString('base64')
    const answer = { model: 'text', data: [{ embedding }], usage: { prompt_tokens: 2, total_tokens: 2 } }
    await answering(answer).embeddings.create({ model: 'text', input: ['one', 'two'] })
    expect(written()).toEqual({
      type: 'generation',
      'model.name': 'text',
      input: ['one', 'two'],
      usage_details: { input: 2, total: 2 },
    })
  })
})

describe('the parameters of an observed OpenAI call', () => {
  it('are those of the request', async () => {
    const parameters = {
      frequency_penalty: 1,
      logit_bias: { 50256: -100 },
      logprobs: true,
      max_tokens: 9,
      n: 1,
      presence_penalty: 1,
      seed: 7,
      stop: ['x'],
      temperature: 0,
      top_p: 0.5,
      user: 'u-1',
      top_logprobs: 2,
      tool_choice: 'none',
      store: true,
      parallel_tool_calls: false,
    }
    expect((await askChat(chosen({ content: 'That.' }), parameters))['model.parameters']).toEqual(parameters)
  })

  it('have the type of the response format, and metadata has all of it', async () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema: {} } }
    expect(await askChat(chosen({ content: '{}' }), { response_format })).toMatchObject({
      'model.parameters': { response_format: 'json_schema' },
      'metadata.response_format': response_format,
    })
  })

  it('are those reported by the response, if any', async () => {
    const served = { truncation: 'disabled', parallel_tool_calls: true, store: true, tool_choice: 'auto', top_p: 1 }
    const answer = { ...response(text('That.')), ...served, temperature: 1, user: null, service_tier: 'priority' }
    expect((await askResponses(answer, { temperature: 2, service_tier: 'auto' }))['model.parameters']).toEqual({
      ...served,
      temperature: 1,
      service_tier: 'priority',
    })
  })
})

describe('the output of an observed OpenAI call', () => {
  it('of a chat is the message of the first choice, without empty fields', async () => {
    const message = { content: 'That.', refusal: null, annotations: [], tool_calls: null }
    expect((await askChat(chosen(message))).output).toEqual({ role: 'assistant', content: 'That.' })
  })

  it('has tool calls in the form that the service reads', async () => {
    const custom = { id: 'call-2', type: 'custom', custom: { name: 'code', input: 'print(1)' } }
    const output = (await askChat(chosen({ content: null, tool_calls: [CALL, custom] }))).output
    expect(output).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [CALL, { id: 'call-2', type: 'function', function: { name: 'code', arguments: 'print(1)' } }],
    })
  })

  it('has audio in the form that media upload recognizes', async () => {
    const audio = { id: 'a-1', data: 'AAAA', transcript: 'That.', expires_at: 1 }
    const { output } = await askChat(chosen({ content: null, audio }), { audio: { format: 'mp3', voice: 'x' } })
    expect(output).toMatchObject({ audio: { data: 'data:audio/mp3;base64,AAAA', transcript: 'That.' } })
  })

  it.each([
    ['the text', [text('That.')], 'That.'],
    ['the only item, where there is no text', [called], called],
    [
      'all items, where there are more',
      [called, { ...called, call_id: 'c-2' }],
      [called, { ...called, call_id: 'c-2' }],
    ],
    ['all items, where calls would be lost with the text alone', [text('Hm.'), called], [text('Hm.'), called]],
    [
      'items without bytes',
      [{ type: 'image_generation_call', id: 'i', result: 'AAAA' }],
      { type: 'image_generation_call', id: 'i' },
    ],
  ])('of a response is %s', async (_, items, output) => {
    expect((await askResponses(response(...items))).output).toEqual(output)
  })
})

describe('the token counts of an observed OpenAI call', () => {
  it.each([
    [
      'of a chat',
      {
        prompt_tokens: 10,
        completion_tokens: 8,
        total_tokens: 18,
        prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 5, accepted_prediction_tokens: null },
      },
      {
        input: 6,
        output: 3,
        total: 18,
        input_cached_tokens: 4,
        input_audio_tokens: 0,
        output_reasoning_tokens: 5,
      },
    ],
    [
      'of a response',
      { input_tokens: 10, output_tokens: 8, total_tokens: 18, input_tokens_details: { cached_tokens: 4 } },
      { input: 6, output: 8, total: 18, input_cached_tokens: 4 },
    ],
    [
      'of a cache beside the input',
      { input_tokens: 10, output_tokens: 8, total_tokens: 18, input_tokens_details: { cached_tokens: 20 } },
      { input: 10, output: 8, total: 38, input_cached_tokens: 20 },
    ],
    [
      'of xAI, where text is cached as well',
      {
        prompt_tokens: 37,
        completion_tokens: 8,
        total_tokens: 45,
        prompt_tokens_details: { text_tokens: 37, audio_tokens: 0, image_tokens: 0, cached_tokens: 8 },
      },
      { input: 29, output: 8, total: 45, input_cached_tokens: 8 },
    ],
    [
      'of LiteLLM, where text is what was not cached',
      {
        prompt_tokens: 40,
        completion_tokens: 20,
        total_tokens: 60,
        prompt_tokens_details: { text_tokens: 24, cached_tokens: 16 },
        completion_tokens_details: { text_tokens: 10, reasoning_tokens: 10 },
      },
      { input: 24, output: 10, total: 60, input_cached_tokens: 16, output_reasoning_tokens: 10 },
    ],
    [
      'of xAI, which counts apart what was thought',
      {
        prompt_tokens: 10,
        completion_tokens: 3,
        total_tokens: 18,
        completion_tokens_details: { reasoning_tokens: 5 },
      },
      { input: 10, output: 3, total: 18, output_reasoning_tokens: 5 },
    ],
  ])('are separate and counted once: %s', async (_, usage, details) => {
    expect((await askChat(chosen({ content: 'That.' }, { usage }))).usage_details).toEqual(details)
  })

  it("have text by its name for OpenAI's audio models, as the service prices it", async () => {
    const usage = {
      ...{ prompt_tokens: 40, completion_tokens: 20, total_tokens: 60 },
      prompt_tokens_details: { text_tokens: 24, audio_tokens: 16, cached_tokens: 0 },
      completion_tokens_details: { text_tokens: 5, audio_tokens: 15, reasoning_tokens: 0 },
    }
    const answer = chosen({ content: 'That.' }, { model: 'gpt-4o-audio-preview', usage })
    expect((await askChat(answer)).usage_details).toMatchObject({
      ...{ input: 0, input_text_tokens: 24, input_audio_tokens: 16 },
      ...{ output: 0, output_text_tokens: 5, output_audio_tokens: 15, total: 60 },
    })
  })

  it('have the cost that a gateway reports', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, cost: 0.0025 }
    expect((await askChat(chosen({ content: 'That.' }, { usage }))).cost_details).toEqual({ total: 0.0025 })
  })
})

it('the model of an observed call is the one that responded', async () => {
  expect((await askChat(chosen({ content: 'That.' })))['model.name']).toBe('gpt-4o-2024-08-06')
})

it('a response adds metadata to that of the application', async () => {
  const tools = [
    { type: 'function', name: 'look', parameters: {} },
    { type: 'web_search', user_location: 'x' },
  ]
  const more = {
    instructions: 'Be brief.',
    previous_response_id: 'r-0',
    metadata: { a: '1' },
    reasoning: { effort: 'low' },
  }
  const answer = { ...response(text('That.')), ...more, tools, incomplete_details: null, error: null }
  await answering(answer, { generationMetadata: { plan: 'pro' } }).responses.create({ model: 'gpt-4o', input: 'What?' })
  expect(written()).toMatchObject({
    'metadata.plan': 'pro',
    'metadata.status': 'completed',
    'metadata.instructions': 'Be brief.',
    'metadata.previous_response_id': 'r-0',
    'metadata.metadata': { a: '1' },
    'metadata.reasoning': { effort: 'low' },
    'metadata.tools': [tools[0], { type: 'web_search', name: 'web_search' }],
  })
  expect(Object.keys(written())).not.toContain('metadata.error')
})

describe('an observed OpenAI stream', () => {
  const piece = (delta: Fields, more: Fields = {}) => ({ model: 'gpt-4o', choices: [{ index: 0, delta }], ...more })

  async function stream(...chunks: Fields[]) {
    const all = await answering(chunks).chat.completions.create({ ...QUESTION, stream: true })
    for await (const _ of all);
    return written()
  }

  it('of text is recorded as the text, with the time of its first token', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
    const pieces = [piece({ role: 'assistant' }), piece({ content: 'Th' }), piece({ content: 'at.' })]
    expect(await stream(...pieces, { model: 'gpt-4o', choices: [], usage })).toMatchObject({
      output: 'That.',
      usage_details: { input: 1, output: 2, total: 3 },
      completion_start_time: expect.any(String),
    })
  })

  it('of several tool calls keeps them apart', async () => {
    const call = (index: number, id: string, input: string) => ({
      tool_calls: [{ index, id, type: 'function', function: { name: 'look', arguments: input } }],
    })
    const rest = (index: number, input: string) => ({ tool_calls: [{ index, function: { arguments: input } }] })
    const { output } = await stream(
      piece(call(0, 'a', '{"id"')),
      piece(rest(0, ':1}')),
      piece(call(1, 'b', '{"id":')),
      piece(rest(1, '2}')),
    )
    expect(output).toEqual({
      role: 'assistant',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'look', arguments: '{"id":1}' } },
        { id: 'b', type: 'function', function: { name: 'look', arguments: '{"id":2}' } },
      ],
    })
  })

  it('of the Responses API is recorded as its final response', async () => {
    const events = [
      { type: 'response.created', response: { id: 'r-1', model: 'gpt-4o' } },
      { type: 'response.output_text.delta', output_index: 0, delta: 'That.' },
      { type: 'response.completed', response: { ...response(text('That.')), store: true } },
    ]
    const all = await answering(events).responses.create({ model: 'gpt-4o', input: 'What?', stream: true })
    for await (const _ of all);
    expect(written()).toMatchObject({ output: text('That.'), 'model.parameters': { store: true, stream: true } })
  })

  it('that is not read to its end ends the generation with the output received so far', async () => {
    const pieces = [piece({ content: 'Th' }), piece({ content: 'at.' })]
    for await (const _ of await answering(pieces).chat.completions.create({ ...QUESTION, stream: true })) break
    expect(written()).toMatchObject({ output: 'Th', level: 'WARNING' })
  })
})

describe('a failed observed OpenAI call', () => {
  it('has level ERROR and no cost, and rejects as without observation', async () => {
    const failing = answering({ error: { message: 'Too many', code: 'rate' } }, {}, 429)
    await expect(failing.chat.completions.create(QUESTION)).rejects.toThrow('429 Too many')
    expect(written()).toMatchObject({
      level: 'ERROR',
      status_message: 'Error: 429 Too many',
      cost_details: { input: 0, output: 0, total: 0 },
    })
  })

  it('may be a response with an error status', async () => {
    const answer = { ...response(), status: 'failed', error: { code: 'server_error', message: 'No luck' } }
    expect(await askResponses(answer)).toMatchObject({
      level: 'ERROR',
      status_message: 'No luck',
      'metadata.error': { code: 'server_error' },
      cost_details: { total: 0 },
    })
  })
})

it('without content an observed call has model, parameters and tokens, and no text', async () => {
  configure({ captureContent: false })
  const answer = { ...response(text('secret')), instructions: 'secret', tools: [{ type: 'function', name: 'secret' }] }
  const observed = await askResponses(answer, { input: 'secret', temperature: 0 })
  expect(observed).toMatchObject({ 'model.name': 'gpt-4o', 'model.parameters': { temperature: 0 } })
  expect(JSON.stringify(finishedSpans()[0]?.attributes)).not.toContain('secret')
})
