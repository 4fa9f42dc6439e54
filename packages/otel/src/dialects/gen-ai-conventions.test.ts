import { type Attributes, context } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { genAiConventions } from './gen-ai-conventions.ts'

/** What another destination gets of a span, content decoded. */
function received(attributes: Attributes, latest?: boolean): Record<string, unknown> {
  const exporter = new InMemorySpanExporter()
  const processor = genAiConventions(new SimpleSpanProcessor({ exporter }), [], undefined, latest)
  const provider = new TracerProvider({ spanProcessors: [processor] })
  const span = provider.getTracer('t').startSpan('s', { attributes, startTime: 1_700_000_000_000 })
  span.end()
  const [recorded] = exporter.getFinishedSpans()
  expect((span as unknown as { attributes: Attributes }).attributes).toEqual(attributes)
  return Object.fromEntries(Object.entries(recorded?.attributes ?? {}).map(([name, value]) => [name, decoded(value)]))
}

function decoded(value: unknown): unknown {
  return typeof value === 'string' && /^[{[]/.test(value) ? JSON.parse(value) : value
}

const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' }
const text = (content: string) => ({ type: 'text', content })

describe('a model call for another destination', () => {
  it('is recorded only with attributes of the GenAI conventions', () => {
    const input = {
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What?' },
            { type: 'image_url', image_url: { url: 'https://x.test/a' } },
          ],
        },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c', name: 'look', content: 'a cat' },
      ],
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
    }
    const output = [{ role: 'assistant', content: 'A cat.', thinking: [{ type: 'thinking', content: 'Hm.' }] }]
    expect(
      received({
        ...chat,
        'gen_ai.response.finish_reasons': ['stop'],
        'svc.observation.input': JSON.stringify(input),
        'svc.observation.output': JSON.stringify(output),
        'svc.observation.model.name': 'm-1',
        'svc.observation.model.parameters':
          '{"temperature":0,"stream":true,"stop_sequences":["END"],"user":"u","service_tier":"flex"}',
        'svc.observation.usage_details':
          '{"input":3,"output":5,"input_cached_tokens":2,"input_cache_creation_5m":1,"output_reasoning_tokens":4,"total":15}',
        'svc.observation.cost_details': '{"total":1}',
        'svc.observation.completion_start_time': '"2023-11-14T22:13:21.250Z"',
        'svc.observation.metadata.plan': '"pro"',
      }),
    ).toEqual({
      ...chat,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.input.messages': [
        { role: 'system', parts: [text('Be brief.')] },
        { role: 'user', parts: [text('What?'), { type: 'uri', modality: 'image', uri: 'https://x.test/a' }] },
        { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'look', arguments: { at: 1 } }] },
        { role: 'tool', name: 'look', parts: [{ type: 'tool_call_response', id: 'c', response: 'a cat' }] },
      ],
      'gen_ai.tool.definitions': [{ type: 'function', name: 'look', parameters: { type: 'object' } }],
      'gen_ai.output.messages': [
        { role: 'assistant', parts: [{ type: 'reasoning', content: 'Hm.' }, text('A cat.')], finish_reason: 'stop' },
      ],
      'gen_ai.response.model': 'm-1',
      'gen_ai.request.temperature': 0,
      'gen_ai.request.stream': true,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.usage.input_tokens': 6,
      'gen_ai.usage.output_tokens': 9,
      'gen_ai.usage.cache_read.input_tokens': 2,
      'gen_ai.usage.cache_creation.input_tokens': 1,
      'gen_ai.usage.reasoning.output_tokens': 4,
      'gen_ai.response.time_to_first_chunk': 1.25,
      'svc.observation.metadata.plan': '"pro"',
    })
  })

  it('has the names since the last release of the conventions where they are asked for', () => {
    const usage = { ...chat, 'svc.observation.usage_details': '{"input_cache_creation":1}' }
    expect(received(usage, true)).toEqual({
      ...chat,
      'gen_ai.usage.input_tokens': 1,
      'gen_ai.usage.cache_write.input_tokens': 1,
    })
  })

  it('is translated also if the application records it in code, with OpenAI names and LangChain tool calls', () => {
    const called = { role: 'assistant', content: 'Hm.', tool_calls: [{ id: 'c', name: 'look', args: { at: 1 } }] }
    expect(
      received({
        ...chat,
        'svc.observation.type': 'generation',
        'svc.observation.output': JSON.stringify(called),
        'svc.observation.model.parameters': '{"n":2,"stop":["x"],"max_completion_tokens":9,"user":"u"}',
      }),
    ).toEqual({
      ...chat,
      'svc.observation.type': 'generation',
      'gen_ai.output.messages': [
        {
          role: 'assistant',
          parts: [text('Hm.'), { type: 'tool_call', id: 'c', name: 'look', arguments: { at: 1 } }],
        },
      ],
      'gen_ai.request.choice.count': 2,
      'gen_ai.request.stop_sequences': ['x'],
      'gen_ai.request.max_tokens': 9,
    })
  })

  it('has media with their bytes', () => {
    const content = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'input_audio', input_audio: { data: 'data:audio/wav;base64,BBBB', format: 'wav' } },
      'data:application/pdf;base64,CCCC',
    ]
    const input = JSON.stringify({ messages: [{ role: 'user', content }] })
    expect(received({ ...chat, 'svc.observation.input': input })['gen_ai.input.messages']).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'AAAA' },
          { type: 'blob', modality: 'audio', mime_type: 'audio/wav', content: 'BBBB' },
          { type: 'blob', modality: 'file', mime_type: 'application/pdf', content: 'CCCC' },
        ],
      },
    ])
  })

  it.each([
    [
      'embeddings',
      {
        'gen_ai.input.messages': [
          { role: 'user', parts: [text('a')] },
          { role: 'user', parts: [text('b')] },
        ],
      },
      '["a","b"]',
    ],
    ['execute_tool', { 'gen_ai.tool.call.arguments': { at: 1 } }, '{"at":1}'],
    ['retrieval', { 'gen_ai.retrieval.query.text': 'cats' }, 'cats'],
    ['chat', { 'gen_ai.input.messages': [{ role: 'user', parts: [text('set by the user')] }] }, 'set by the user'],
  ])('of %s has its input', (operation, words, input) => {
    const attributes = { 'gen_ai.operation.name': operation, 'svc.observation.input': input }
    expect(received(attributes)).toEqual({ 'gen_ai.operation.name': operation, ...words })
  })

  it('stays unchanged if it is not a model call, or cannot be read', () => {
    for (const attributes of [
      { 'svc.observation.input': 'in', 'svc.observation.type': 'chain' },
      chat,
      { ...chat, 'svc.observation.usage_details': 'no JSON' },
    ]) {
      expect(received(attributes)).toEqual(attributes)
    }
  })
})

it('passes every property of the processor through', async () => {
  const request: string[] = []
  const inner: SpanProcessor = {
    onStart: () => void request.push('start'),
    onEnding: () => void request.push('ending'),
    onEnd: () => void request.push('end'),
    forceFlush: async () => void request.push('flush'),
    shutdown: async () => void request.push('shutdown'),
  }
  const provider = new TracerProvider({ spanProcessors: [genAiConventions(inner)] })
  provider.getTracer('t').startSpan('s', {}, context.active()).end()
  await provider.forceFlush()
  await provider.shutdown()
  expect(request).toEqual(['start', 'ending', 'end', 'flush', 'shutdown'])
})

describe('a masked span for another destination', () => {
  const attributes = { ...chat, 'svc.observation.input': 'ada@example.com', 'svc.observation.metadata.n': '5' }

  async function sent(masks: Parameters<typeof genAiConventions>[1]) {
    const exporter = new InMemorySpanExporter()
    const processor = genAiConventions(new SimpleSpanProcessor({ exporter }), masks)
    const tracer = new TracerProvider({ spanProcessors: [processor] }).getTracer('t')
    const span = tracer.startSpan('s', { attributes })
    span.addEvent('gen_ai.user.message', { role: 'user', content: 'ada@example.com' })
    span.addEvent('gen_ai.content.prompt', { 'gen_ai.prompt': 'ada@example.com' })
    span.end()
    await processor.forceFlush()
    return exporter.getFinishedSpans()
  }

  it.each([
    ['at once', ({ data }: { data: unknown }) => (data === 5 ? 0 : 'hidden')],
    ['later', async ({ data }: { data: unknown }) => (data === 5 ? 0 : 'hidden')],
  ])('has masked input, metadata and events, masked %s', async (_, mask) => {
    const [span] = await sent([mask])
    expect(span?.attributes).toMatchObject({
      'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"hidden"}]}]',
      'svc.observation.metadata.n': '0',
    })
    expect(span?.events.map((event) => event.attributes)).toEqual([
      { role: 'user', content: 'hidden' },
      { 'gen_ai.prompt': 'hidden' },
    ])
  })

  it('has what each of several masks makes of what the one before has made', async () => {
    const masks = ['one', 'two'].map(
      (word) =>
        async ({ data }: { data: unknown }) =>
          `${data} ${word}`,
    )
    expect((await sent(masks))[0]?.attributes['gen_ai.input.messages']).toContain('"ada@example.com one two"')
  })

  it('shows nothing of what a mask failed on', async () => {
    const fails = () => {
      throw new Error('broken')
    }
    for (const mask of [fails, async () => fails(), 'no function' as never]) {
      const spans = await sent([mask])
      expect(spans).toHaveLength(1)
      expect(JSON.stringify(spans.map((span) => [span.attributes, span.events]))).not.toContain('ada@')
    }
  })

  it('has no keys in its error texts, with or without a mask', async () => {
    const exporter = new InMemorySpanExporter()
    const processor = genAiConventions(new SimpleSpanProcessor({ exporter }))
    const span = new TracerProvider({ spanProcessors: [processor] }).getTracer('t').startSpan('s')
    span.setStatus({ code: 2, message: 'Incorrect API key: sk-abcdefghijklmnop' }).end()
    expect(exporter.getFinishedSpans()[0]?.status.message).toBe('Incorrect API key: (hidden)')
  })
})
