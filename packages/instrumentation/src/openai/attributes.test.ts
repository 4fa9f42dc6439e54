import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
import { type ModelServer, startModelServer } from '@svc-examples/model-server'
import OpenAI, { AzureOpenAI } from 'openai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { configure } from '../gen-ai/configure.ts'
import { instrumentOpenAI } from './patch.ts'

let server: ModelServer
let client: OpenAI

recordSpans()
beforeAll(() => {
  instrumentOpenAI({ OpenAI })
})
beforeEach(async () => {
  forgetSpans()
  server = await startModelServer()
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'sk-very-secret' })
})
afterEach(() => server.close())
afterAll(resetGlobalLogger)

/** The attributes of the one span there is, JSON decoded. */
function recorded(): Record<string, unknown> {
  const [span, ...others] = finishedSpans()
  expect(others).toEqual([])
  const entries = Object.entries(span?.attributes ?? {}).map(([key, value]) => [key, decoded(key, value)])
  return Object.fromEntries(entries)
}

function decoded(key: string, value: unknown): unknown {
  return /^svc\.observation\.(?!model\.name)/.test(key) ? JSON.parse(String(value)) : value
}

const question = { role: 'user' as const, content: 'What is a span?' }
const ANSWER = 'You asked "What is a span?". The short version: it depends, but less than people think.'

describe('an OpenAI span has the attributes', () => {
  it('of a chat completion', async () => {
    await client.chat.completions.create({
      model: 'gpt-5-mini',
      messages: [{ role: 'system', content: 'Be brief.' }, question],
      temperature: 0.5,
      top_p: 0.9,
      max_completion_tokens: 100,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      seed: 7,
      stop: ['END'],
      reasoning_effort: 'low',
      user: 'u-1',
      tool_choice: { type: 'function', function: { name: 'look' } },
      parallel_tool_calls: false,
      logprobs: true,
      top_logprobs: 2,
      logit_bias: { '50256': -100 },
      service_tier: 'flex',
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema: { type: 'object' } } },
    })
    expect(recorded()).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5-mini',
      'svc.observation.model.parameters': {
        temperature: 0.5,
        top_p: 0.9,
        max_tokens: 100,
        frequency_penalty: 0.1,
        presence_penalty: 0.2,
        seed: 7,
        stop_sequences: ['END'],
        'reasoning.level': 'low',
        tool_choice: '{"type":"function","function":{"name":"look"}}',
        parallel_tool_calls: false,
        user: 'u-1',
        logit_bias: '{"50256":-100}',
        logprobs: true,
        top_logprobs: 2,
        service_tier: 'flex',
        response_format: '{"type":"json_schema","json_schema":{"name":"place","schema":{"type":"object"}}}',
      },
      'gen_ai.output.type': 'json',
      'svc.observation.input': {
        messages: [{ role: 'system', content: 'Be brief.' }, question],
      },
      'svc.observation.output': [{ role: 'assistant', content: expect.any(String) }],
      'gen_ai.response.id': 'chatcmpl-1',
      'svc.observation.model.name': 'gpt-5-mini',
      'gen_ai.response.finish_reasons': ['stop'],
      'svc.observation.usage_details': {
        input: 11,
        output: 1,
        input_cached_tokens: 11,
        output_reasoning_tokens: 16,
        total: 39,
      },
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(server.url).port),
    })
    const [span] = finishedSpans()
    expect(span?.instrumentationScope).toMatchObject({ name: '@svc/instrumentation-openai', version: '6.0.0' })
    expect(span?.kind).toBe(2)
  })

  it('of a stream: also the time of the first chunk and the first token, and the usage', async () => {
    const stream = await client.chat.completions.create({
      model: 'gpt-4o-mini',
      messages: [question],
      stream: true,
      stream_options: { include_usage: true },
    })
    const before = Date.now()
    for await (const _ of stream);
    const attributes = recorded()
    expect(attributes).toMatchObject({
      'svc.observation.model.parameters': { stream: true },
      'gen_ai.response.id': 'chatcmpl-1',
      'svc.observation.model.name': 'gpt-4o-mini',
      'svc.observation.usage_details': { input: 6, output: 23, input_cached_tokens: 6, total: 35 },
    })
    const first = Date.parse(String(attributes['svc.observation.completion_start_time']))
    expect(first).toBeGreaterThanOrEqual(before)
    expect(first).toBeLessThanOrEqual(Date.now())
  })

  it('of tools: their definitions, calls and results', async () => {
    const tools = [
      { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object', properties: {} } } },
    ]
    const messages = [
      { role: 'user' as const, content: 'And the weather?' },
      {
        role: 'assistant' as const,
        content: null,
        tool_calls: [
          { id: 'call_a', type: 'function' as const, function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
          { id: 'call_b', type: 'function' as const, function: { name: 'weather', arguments: '{"city":' } },
        ],
      },
      { role: 'tool' as const, tool_call_id: 'call_a', content: 'rain' },
    ]
    await client.chat.completions.create({ model: 'gpt-4o-mini', messages, tools })
    expect(recorded()).toMatchObject({
      'svc.observation.input': {
        messages: messages.map(({ content, ...message }) => ({ ...message, ...(content === null ? {} : { content }) })),
        tools,
      },
    })
  })

  it('of a request to the Responses API', async () => {
    await client.responses.create({
      model: 'o4-mini',
      instructions: 'Be brief.',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'What is a span?' }] }],
      reasoning: { effort: 'high' },
      max_output_tokens: 50,
      conversation: { id: 'conv_1' },
      text: { format: { type: 'json_object' } },
    })
    expect(recorded()).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'svc.observation.model.parameters': { 'reasoning.level': 'high', max_tokens: 50 },
      'gen_ai.conversation.id': 'conv_1',
      'gen_ai.output.type': 'json',
      'svc.observation.input': {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: '[conversation conv_1]' },
          question,
        ],
      },
      'svc.observation.output': [
        {
          role: 'assistant',
          content: ANSWER,
          thinking: [{ type: 'thinking', content: 'The user wants a short answer, so I will keep it short.' }],
        },
      ],
      'gen_ai.response.id': 'resp_1',
      'gen_ai.response.finish_reasons': ['completed'],
      'svc.observation.usage_details': { input_cached_tokens: 11, output_reasoning_tokens: 16 },
    })
  })

  it('of embeddings: the texts, and never a vector', async () => {
    await client.embeddings.create({ model: 'text-embedding-3-small', input: ['one', 'two'], dimensions: 4 })
    expect(recorded()).toEqual({
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'text-embedding-3-small',
      'gen_ai.embeddings.dimension.count': 4,
      'svc.observation.input': ['one', 'two'],
      'svc.observation.model.name': 'text-embedding-3-small',
      'svc.observation.usage_details': { input: 2, total: 2 },
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(server.url).port),
    })
  })

  it('of tokenized input: the number of tokens', async () => {
    await client.embeddings.create({ model: 'text-embedding-3-small', input: [[1, 2, 3], [4]] })
    expect(recorded()['svc.observation.input']).toEqual(['[3 tokens]', '[1 tokens]'])
  })

  it('of Azure: its provider name, whatever the URL is', async () => {
    const azure = new AzureOpenAI({ endpoint: server.url, apiKey: 'none', apiVersion: '2024-10-21' })
    await azure.chat.completions.create({ model: 'gpt-4o-mini', messages: [question] })
    expect(recorded()).toMatchObject({ 'gen_ai.provider.name': 'azure.ai.openai', 'server.address': '127.0.0.1' })
  })

  it('of an error: its class, status and message, also as an event', async () => {
    const call = client.chat.completions.create({ model: 'error-429', messages: [question] }, { maxRetries: 0 })
    await expect(call).rejects.toThrow('429')
    expect(recorded()).toMatchObject({ 'error.type': 'RateLimitError', 'http.response.status_code': 429 })
    const [span] = finishedSpans()
    expect(span?.status).toEqual({ code: 2, message: '429 The model error-429 fails' })
    expect(span?.events).toMatchObject([
      {
        name: 'exception',
        attributes: { 'exception.type': 'RateLimitError', 'exception.message': '429 The model error-429 fails' },
      },
    ])
  })
})

describe('an OpenAI span never has', () => {
  it('the API key, even if the server sends it back', async () => {
    const echo: typeof fetch = async (_, init) => {
      const authorization = new Headers(init?.headers).get('authorization')
      return Response.json({ error: { message: `Incorrect key: ${authorization}` } }, { status: 401 })
    }
    const careless = new OpenAI({ baseURL: server.url, apiKey: 'sk-very-secret', fetch: echo, maxRetries: 0 })
    const call = careless.chat.completions.create({ model: 'gpt-4o-mini', messages: [question] })
    await expect(call).rejects.toThrow('sk-very-secret')
    const [span] = finishedSpans()
    expect(span?.status.message).toBe('401 Incorrect key: Bearer (hidden)')
    expect(JSON.stringify([span?.attributes, span?.events, span?.status])).not.toContain('sk-very-secret')
  })

  it('the API key that a function provides', async () => {
    const echo: typeof fetch = async (_, init) => {
      const authorization = new Headers(init?.headers).get('authorization')
      return Response.json({ error: { message: `Incorrect key: ${authorization}` } }, { status: 401 })
    }
    const apiKey = async () => 'sk-very-secret'
    const careless = new OpenAI({ baseURL: server.url, apiKey, fetch: echo, maxRetries: 0 })
    const call = careless.chat.completions.create({ model: 'gpt-4o-mini', messages: [question] })
    await expect(call).rejects.toThrow('sk-very-secret')
    expect(finishedSpans()[0]?.status.message).toBe('401 Incorrect key: Bearer (hidden)')
  })

  it('headers of the request', async () => {
    const headers = { 'x-token': 'very-private' }
    await client.chat.completions.create({ model: 'gpt-4o-mini', messages: [question] }, { headers })
    expect(JSON.stringify(recorded())).not.toContain('very-private')
  })

  it('content, if content is switched off', async () => {
    configure({ captureContent: false })
    try {
      await client.responses.create({
        model: 'gpt-4o-mini',
        instructions: 'Be brief.',
        input: 'What is a span?',
        tools: [],
      })
    } finally {
      configure({})
    }
    const attributes = recorded()
    expect(JSON.stringify(attributes)).not.toMatch(/span|brief|short/)
    expect(attributes).toMatchObject({
      'gen_ai.request.model': 'gpt-4o-mini',
      'gen_ai.response.finish_reasons': ['completed'],
      'svc.observation.usage_details': { input: 4, input_cached_tokens: 3 },
    })
  })
})

it('a stream without token counts causes one warning with the remedy', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  configureGlobalLogger({ level: LogLevel.WARN })
  for (const _ of [1, 2]) {
    const stream = await client.chat.completions.create({ model: 'gpt-4o-mini', messages: [question], stream: true })
    for await (const _ of stream);
  }
  expect(warn.mock.calls.map(([line]) => line)).toEqual([
    expect.stringContaining('stream_options: { include_usage: true }'),
  ])
  warn.mockRestore()
})
