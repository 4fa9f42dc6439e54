import { describe, expect, it } from 'vitest'
import { chat } from './chat.ts'
import { completions } from './completions.ts'
import { embeddings } from './embeddings.ts'
import { responses } from './responses.ts'

const messagesOf = (...messages: unknown[]) => chat.readRequest({ messages }).messages

describe('messages of an OpenAI chat request', () => {
  it('have one part for a text', () => {
    expect(messagesOf({ role: 'developer', content: 'Be brief.', name: 'house' })).toEqual([
      { role: 'developer', name: 'house', parts: [{ type: 'text', content: 'Be brief.' }] },
    ])
  })

  it('keep the URLs of images, audio and videos, data URIs included', () => {
    const image = 'data:image/png;base64,AAAA'
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: image, detail: 'low' } },
      { type: 'input_audio', input_audio: { data: 'BBBB', format: 'mp3' } },
      { type: 'video_url', video_url: { url: 'https://files.test/a.mp4' } },
      { type: 'audio_url', audio_url: { url: 'https://files.test/a.mp3' } },
    ]
    expect(messagesOf({ role: 'user', content })?.[0]?.parts).toEqual([
      { type: 'text', content: 'What is this?' },
      { type: 'uri', modality: 'image', uri: image },
      { type: 'uri', modality: 'audio', uri: 'data:audio/mp3;base64,BBBB' },
      { type: 'uri', modality: 'video', uri: 'https://files.test/a.mp4' },
      { type: 'uri', modality: 'audio', uri: 'https://files.test/a.mp3' },
    ])
  })

  it('have images by id, as messages of a thread', () => {
    const content = [{ type: 'image_file', image_file: { file_id: 'file-1', detail: 'low' } }]
    expect(messagesOf({ role: 'user', content })?.[0]?.parts).toEqual([
      { type: 'file', modality: 'image', file_id: 'file-1' },
    ])
  })

  it('have files by id or as a data URI', () => {
    const content = [
      { type: 'file', file: { file_id: 'file-1' } },
      { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' } },
    ]
    expect(messagesOf({ role: 'user', content })?.[0]?.parts).toEqual([
      { type: 'file', file_id: 'file-1' },
      { type: 'uri', uri: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' },
    ])
  })

  it('have tool results as responses to their call, in every version of the API', () => {
    expect(
      messagesOf(
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'rain' }] },
        { role: 'function', name: 'weather', content: 'rain' },
      ),
    ).toEqual([
      {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: 'call_1', response: [{ type: 'text', content: 'rain' }] }],
      },
      { role: 'tool', name: 'weather', parts: [{ type: 'tool_call_response', response: 'rain' }] },
    ])
  })

  it('have tool calls for functions, custom tools and the deprecated functions', () => {
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        { id: 'call_2', type: 'custom', custom: { name: 'code', input: 'print(1)' } },
      ],
      function_call: { name: 'old', arguments: '{}' },
    }
    expect(messagesOf(message)?.[0]?.parts).toEqual([
      { type: 'tool_call', id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
      { type: 'tool_call', id: 'call_2', name: 'code', arguments: 'print(1)' },
      { type: 'tool_call', name: 'old', arguments: '{}' },
    ])
  })

  it('keep tool calls beside an empty reasoning text', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }
    expect(
      messagesOf({ role: 'assistant', reasoning_content: '', content: null, tool_calls: [call] })?.[0]?.parts,
    ).toEqual([{ type: 'tool_call', id: 'call_1', name: 'weather', arguments: '{}' }])
  })

  it('have deprecated functions as tool definitions', () => {
    expect(chat.readRequest({ functions: [{ name: 'old' }] })).toEqual({ tools: [{ name: 'old' }] })
  })
})

describe('an OpenAI chat response', () => {
  it('has reasoning, refusals and audio as parts, the audio without its bytes', () => {
    const message = {
      reasoning_content: 'Hm.',
      content: 'No.',
      refusal: 'I cannot.',
      audio: { id: 'a', data: 'AAAA', transcript: 'No.' },
    }
    expect(chat.readResponse({ choices: [{ message, finish_reason: 'stop' }] }).messages).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Hm.' },
          { type: 'text', content: 'No.' },
          { type: 'refusal', content: 'I cannot.' },
          { type: 'audio', id: 'a', transcript: 'No.' },
        ],
        finish_reason: 'stop',
      },
    ])
  })

  it('has reasoning that a router sends twice once, and no empty list as its first output', () => {
    const stream = chat.createAccumulator()
    expect(stream.add({ choices: [{ delta: { role: 'assistant', images: [], reasoning_steps: [] } }] })).toBe(false)
    const text = 'x'.repeat(600_000)
    const details = [{ type: 'reasoning.text', text, index: 0 }]
    stream.add({ choices: [{ delta: { reasoning: text, reasoning_details: details } }] })
    stream.add({ choices: [{ delta: { content: 'Hi' } }] })
    expect(stream.response.messages?.[0]?.parts).toEqual([
      { type: 'reasoning', content: text },
      { type: 'text', content: 'Hi' },
    ])
  })

  it.each([
    ['text', { type: 'reasoning.text', text: 'Hm', index: 0 }],
    ['summary', { type: 'reasoning.summary', summary: 'Hm', index: 0 }],
  ])('has the reasoning that is only among the details, as %s', (field, detail) => {
    const message = { role: 'assistant', content: 'Hi', reasoning_details: [detail, { type: 'reasoning.encrypted' }] }
    const stream = chat.createAccumulator()
    expect(stream.add({ choices: [{ delta: { reasoning_details: [{ ...detail, [field]: 'H' }] } }] })).toBe(true)
    stream.add({ choices: [{ delta: { reasoning_details: [{ ...detail, [field]: 'm' }] } }] })
    stream.add({ choices: [{ delta: { content: 'Hi' } }] })
    for (const { messages } of [chat.readResponse({ choices: [{ message }] }), stream.response]) {
      expect(messages?.[0]?.parts).toEqual([
        { type: 'reasoning', content: 'Hm' },
        { type: 'text', content: 'Hi' },
      ])
    }
  })

  it('has the tools that Groq has run, with their results, whole and in a stream', () => {
    const tool = { index: 0, type: 'search', arguments: '{"query":"Paris"}', output: null }
    const done = { ...tool, output: 'Sunny.' }
    const stream = chat.createAccumulator()
    for (const each of [tool, done]) stream.add({ choices: [{ delta: { executed_tools: [each] } }] })
    stream.add({ choices: [{ delta: { content: 'It is sunny.' } }] })
    const message = { content: 'It is sunny.', executed_tools: [done] }
    for (const { messages } of [chat.readResponse({ choices: [{ message }] }), stream.response]) {
      expect(messages?.[0]?.parts).toEqual([
        { type: 'text', content: 'It is sunny.' },
        { type: 'tool_call', name: 'search', arguments: '{"query":"Paris"}' },
        { type: 'tool_call_response', name: 'search', response: 'Sunny.' },
      ])
    }
  })

  it('has the images beside its text, without their bytes, whole and in a stream', () => {
    const image = (url: string) => ({ type: 'image_url', image_url: { url } })
    const [first, second] = [image('data:image/png;base64,AAAA'), image('https://files.test/b.png')]
    const stream = chat.createAccumulator()
    stream.add({ choices: [{ delta: { content: 'Here.' } }] })
    for (const each of [first, second]) stream.add({ choices: [{ delta: { content: '', images: [each] } }] })
    const message = { content: 'Here.', images: [first, second] }
    for (const { messages } of [chat.readResponse({ choices: [{ message }] }), stream.response]) {
      expect(messages?.[0]?.parts).toEqual([
        { type: 'text', content: 'Here.' },
        { type: 'blob', modality: 'image', mime_type: 'image/png' },
        { type: 'uri', modality: 'image', uri: 'https://files.test/b.png' },
      ])
    }
  })

  it('has separate counts for tokens written to the cache', () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
    }
    expect(chat.readResponse({ usage }).usage).toEqual({ input: 10, output: 5, cacheRead: 4, cacheWrite: 3 })
  })
})

it.each([
  ['the whole input', 10, 10],
  ['more than the input', 11, 21],
])('cached tokens that are %s are part of it only if they can be', (_, cached_tokens, input) => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens } }
  expect(chat.readResponse({ usage }).usage).toEqual({ input, output: 5, cacheRead: cached_tokens })
})

it.each([
  ['DeepSeek', { prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 }],
  ['Moonshot', { cached_tokens: 6 }],
])('cached tokens of %s are part of the input', (_, counts) => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, ...counts }
  expect(chat.readResponse({ usage }).usage).toEqual({ input: 10, output: 5, cacheRead: 6 })
})

describe('a streamed OpenAI chat response', () => {
  const streamed = (...deltas: unknown[]) => {
    const listener = chat.createAccumulator()
    const spoken = deltas.map((delta) => listener.add({ id: 'chatcmpl-1', choices: [{ index: 0, delta }] }))
    return { listener, spoken, parts: listener.response.messages?.[0]?.parts }
  }

  it('has its first token with the first text, not with the role', () => {
    expect(streamed({ role: 'assistant', content: '' }, { content: 'Hi' }).spoken).toEqual([false, true])
    expect(streamed({ tool_calls: [{ index: 0, function: { name: 'weather' } }] }).spoken).toEqual([true])
    expect(streamed({ reasoning_content: 'Hm' }).spoken).toEqual([true])
  })

  it('keeps interleaved tool calls apart', () => {
    const piece = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] })
    const { parts } = streamed(
      piece(0, { id: 'call_a', function: { name: 'weather', arguments: '' } }),
      piece(1, { id: 'call_b', function: { name: 'time', arguments: '' } }),
      piece(0, { function: { arguments: '{"city":' } }),
      piece(1, { function: { arguments: '{}' } }),
      piece(0, { function: { arguments: '"Oslo"}' } }),
    )
    expect(parts).toEqual([
      { type: 'tool_call', id: 'call_a', name: 'weather', arguments: '{"city":"Oslo"}' },
      { type: 'tool_call', id: 'call_b', name: 'time', arguments: '{}' },
    ])
  })

  it('begins another tool call with another id at the same index', () => {
    const call = (id: string, name: string, args: string) => ({
      tool_calls: [{ index: 0, id, function: { name, arguments: args } }],
    })
    const { parts } = streamed(call('a', 'f', '{"x":'), call('a', 'f', '1}'), call('b', 'g', '{"y":2}'), {
      tool_calls: [{ index: 0, function: { arguments: ' ' } }],
    })
    expect(parts).toEqual([
      { type: 'tool_call', id: 'a', name: 'f', arguments: '{"x":1}' },
      { type: 'tool_call', id: 'b', name: 'g', arguments: '{"y":2} ' },
    ])
  })

  it.each([
    ['an empty id', ''],
    ['an id of its own', 'call_2'],
  ])('joins the pieces of a tool call that have %s', (_, id) => {
    const piece = (input: string) => ({ tool_calls: [{ index: 0, id, function: { name: null, arguments: input } }] })
    const { parts } = streamed(
      { tool_calls: [{ index: 0, id: 'call_1', function: { name: 'f', arguments: '' } }] },
      piece('{"x"'),
      piece(':1}'),
    )
    expect(parts).toEqual([{ type: 'tool_call', id: id || 'call_1', name: 'f', arguments: '{"x":1}' }])
  })

  it('has the arguments of a tool call that come as a value', () => {
    const called = { name: 'f', arguments: { x: 1 } }
    const { parts } = streamed({ tool_calls: [{ index: 0, id: 'a', function: called }], function_call: called })
    expect(parts).toEqual([
      { type: 'tool_call', id: 'a', name: 'f', arguments: '{"x":1}' },
      { type: 'tool_call', name: 'f', arguments: '{"x":1}' },
    ])
  })

  it('joins a deprecated function call', () => {
    const { parts } = streamed(
      { function_call: { name: 'old', arguments: '{"a"' } },
      { function_call: { arguments: ':1}' } },
    )
    expect(parts).toEqual([{ type: 'tool_call', name: 'old', arguments: '{"a":1}' }])
  })

  it('is an error with the output received so far if Groq stops it early', () => {
    const { listener } = streamed({ content: 'Hi' })
    listener.add({ choices: [], x_groq: { error: 'over capacity' } })
    expect(listener.response).toMatchObject({
      failure: { type: 'failed', message: 'over capacity' },
      messages: [{ parts: [{ type: 'text', content: 'Hi' }] }],
    })
  })

  it.each([chat, completions])(
    'has the requested model if it ends before Azure names another: $name',
    ({ createAccumulator }) => {
      const stream = createAccumulator()
      stream.add({ id: '', model: '', choices: [], prompt_filter_results: [] })
      expect([stream.response.id, stream.response.model]).toEqual([undefined, undefined])
    },
  )

  it('is complete once every choice has a finish reason', () => {
    const { listener } = streamed({ content: 'Hi' })
    expect(listener.isComplete).toBe(false)
    listener.add({ choices: [{ index: 0, delta: {}, finish_reason: 'length' }], usage: {} })
    expect(listener.isComplete).toBe(true)
    expect(listener.response.finishReasons).toEqual(['length'])
  })
})

it.each([chat, responses])(
  "a request has the prompt that LiteLLM's proxy has stored: $path",
  ({ readRequest, readParameters }) => {
    const prompt_variables = { city: 'Rome' }
    const body = { prompt_id: 'weather', prompt_version: 2, prompt_variables, messages: [], input: [] }
    const prompt = { type: 'prompt', id: 'weather', version: 2, variables: prompt_variables }
    expect(readRequest(body)).toEqual({ messages: [{ role: 'user', parts: [prompt] }], metadata: { prompt_variables } })
    expect(readParameters(body)).toEqual({
      'svc.observation.metadata.prompt_id': '"weather"',
      'svc.observation.metadata.prompt_version': '2',
    })
  },
)

it.each([
  ['extra_body', { extra_body: { google: { cached_content: 'cachedContents/1' } } }],
  ['google', { google: { cached_content: 'cachedContents/1' } }],
])('a request names what Gemini has cached, by its compatible API, in %s', (_, fields) => {
  const body = { messages: [{ role: 'user', content: 'Hi' }], ...fields }
  expect(chat.readRequest(body).messages).toEqual([
    { role: 'user', parts: [{ type: 'text', content: '[cached content cachedContents/1]' }] },
    { role: 'user', parts: [{ type: 'text', content: 'Hi' }] },
  ])
  expect(chat.readParameters(body)).toEqual({ 'svc.observation.metadata.cached_content': '"cachedContents/1"' })
})

describe('an error inside a successful OpenAI response', () => {
  it('is recorded as error of the call, with its code', () => {
    const error = { code: 429, message: 'Provider returned error' }
    expect(chat.readResponse({ error }).failure).toEqual({ type: '429', message: 'Provider returned error' })
  })

  it.each([
    ['of a chunk', { error: { code: 'server_error', message: 'gone' } }, {}],
    ['of a choice', {}, { error: { code: 'server_error', message: 'gone' } }],
  ])('is recorded beside what was said before, where it is %s', (_, ofChunk, ofChoice) => {
    const last = { index: 0, delta: { content: '' }, finish_reason: 'error', ...ofChoice }
    const listener = chat.createAccumulator()
    listener.add({ choices: [{ index: 0, delta: { content: 'Hal' } }] })
    listener.add({ choices: [last], ...ofChunk })
    const whole = chat.readResponse({ choices: [{ ...last, delta: { content: 'Hal' } }], ...ofChunk })
    for (const response of [listener.response, whole]) {
      expect(response).toMatchObject({
        failure: { type: 'server_error', message: 'gone' },
        messages: [{ parts: [{ type: 'text', content: 'Hal' }], finish_reason: 'error' }],
      })
    }
  })

  it.each([
    ['the error', { object: 'error', message: 'too long', type: 'BadRequestError', code: 400 }],
    ['a status', { base_resp: { status_code: 400, status_msg: 'too long' } }],
  ])('is recorded if a chunk is %s', (_, chunk) => {
    const listener = chat.createAccumulator()
    listener.add({ choices: [{ index: 0, delta: { content: 'Hal' } }] })
    listener.add(chunk)
    expect(listener.response).toMatchObject({
      failure: { type: '400', message: 'too long' },
      messages: [{ parts: [{ type: 'text', content: 'Hal' }] }],
    })
  })

  it('is ignored beside choices if it is empty', () => {
    expect(chat.readResponse({ error: {}, choices: [{ message: { content: 'yes' } }] }).failure).toBeUndefined()
    expect(chat.readResponse({ error: null }).failure).toBeUndefined()
    const stream = chat.createAccumulator()
    stream.add({ choices: [{ delta: { content: 'yes' }, finish_reason: 'stop' }] })
    stream.add({ usage: { prompt_tokens: 1, completion_tokens: 1 }, error: {} })
    expect(stream.response.failure).toBeUndefined()
    expect(embeddings.readResponse({ data: [], error: {} }).failure).toBeUndefined()
  })
})

it('a chat completion that ends with an error has failed, and keeps what it had said', () => {
  const choice = { index: 0, finish_reason: 'error', error: { code: 502, message: 'The provider broke.' } }
  const { failure, messages } = chat.readResponse({ choices: [{ ...choice, message: { content: 'Half' } }] })
  expect(failure).toEqual({ type: '502', message: 'The provider broke.' })
  expect(messages?.[0]?.parts).toEqual([{ type: 'text', content: 'Half' }])
  const accumulator = chat.createAccumulator()
  accumulator.add({ choices: [{ index: 0, delta: { content: 'Half' } }] })
  accumulator.add({ choices: [{ index: 0, delta: {}, finish_reason: 'error' }], usage: {} })
  expect(accumulator.response).toMatchObject({ failure: { type: 'failed' }, finishReasons: ['error'] })
  accumulator.add({ error: { code: 'overloaded', message: 'Too many.' } })
  expect(accumulator.response.failure).toEqual({ type: 'overloaded', message: 'Too many.' })
})

it('a text completion that ends with an error has failed, and keeps its text so far', () => {
  const error = { code: 502, message: 'The provider broke.' }
  const end = { index: 0, text: '', finish_reason: 'error' }
  const accumulator = completions.createAccumulator()
  accumulator.add({ choices: [{ index: 0, text: 'Half' }] })
  accumulator.add({ choices: [{ ...end, error }] })
  const whole = completions.readResponse({ choices: [{ ...end, error, text: 'Half' }] })
  for (const { failure, messages } of [accumulator.response, whole]) {
    expect(failure).toEqual({ type: '502', message: 'The provider broke.' })
    expect(messages?.[0]?.parts).toEqual([{ type: 'text', content: 'Half' }])
  }
  expect(completions.readResponse({ choices: [end] }).failure).toMatchObject({ type: 'failed' })
})
