import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace'
import { environmentOf } from '@svc/core/environment'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { exporting, withContextManager } from '../test/support/tracing.ts'
import { type MaskFunction, masker } from './mask.ts'

withContextManager()
const log = catchLog()
const FAILED = '<fully masked due to failed mask function>'

async function masked(mask: MaskFunction, attributes: Attributes): Promise<Attributes> {
  const { tracer, exported } = exporting({ mask })
  tracer().startSpan('s', { attributes }).end()
  const { 'svc.internal.is_app_root': _, ...rest } = (await exported())[0]?.attributes ?? {}
  return rest
}

async function given(attributes: Attributes): Promise<unknown[]> {
  const seen: unknown[] = []
  await masked(({ data }) => {
    seen.push(data)
    return data
  }, attributes)
  return seen
}

describe('the value passed to a mask', () => {
  it('is the stored input and output, and decoded metadata', async () => {
    const attributes = {
      'svc.observation.input': '{"a":1}',
      'svc.observation.output': 'plain',
      'svc.trace.input': 'in',
      'svc.trace.output': 'out',
      'svc.observation.metadata': '"bare"',
      'svc.observation.metadata.text': '"prod"',
      'svc.observation.metadata.number': '5',
      'svc.observation.metadata.flag': 'true',
      'svc.observation.metadata.list': '[1,"2"]',
      'svc.observation.metadata.object': '{"a":{"b":1}}',
      'svc.observation.metadata.foreign': 'not json',
    }
    expect(await given(attributes)).toEqual([
      '{"a":1}',
      'plain',
      'in',
      'out',
      'bare',
      'prod',
      5,
      true,
      [1, '2'],
      { a: { b: 1 } },
      'not json',
    ])
  })

  it('is never a key, propagated metadata, or another attribute', async () => {
    const attributes = {
      'svc.trace.metadata.tenant': '"acme"',
      'svc.observation.model.name': 'gpt',
      'svc.observation.inputs': 'x',
      'gen_ai.request.model': 'gpt',
      'user.id': 'u1',
      'llm.input_messages.0.message.role': 'user',
      'ai.telemetry.metadata.userId': 'u1',
      'gen_ai.tool.name': 'look',
    }
    expect(await given(attributes)).toEqual([])
  })

  it('is no raw answer, which is left out', async () => {
    const attributes = { 'svc.observation.output': 'Ada', 'svc.raw.answers': ['A', 'da'] }
    expect(await masked(({ data }) => data, attributes)).toEqual({ 'svc.observation.output': 'Ada' })
  })

  it('includes content of other instrumentations', async () => {
    const attributes = {
      'gen_ai.input.messages': '[1]',
      'gen_ai.output.messages': '[2]',
      'gen_ai.system_instructions': '[3]',
      'gen_ai.tool.call.arguments': '4',
      'gen_ai.tool.call.result': '5',
      'gen_ai.prompt.0.content': '6',
      'gen_ai.completion.0.tool_calls.0.arguments': '7',
      'ai.prompt.messages': '8',
      'ai.response.text': '9',
      'llm.input_messages.0.message.content': '10',
      'input.value': '11',
      'gen_ai.tool.definitions': '12',
      'ai.prompt.tools': ['13'],
      'ai.values': ['14'],
      'llm.tools.0.tool.json_schema': '15',
      'llm.request.functions.0.parameters': '16',
      'embedding.embeddings.0.embedding.text': '17',
      'retrieval.documents.0.document.content': '18',
      'gen_ai.retrieval.query.text': '19',
      'gen_ai.retrieval.documents': '20',
      'gen_ai.prompt': '21',
      'genkit:input': '22',
      'gcp.vertex.agent.llm_request': '23',
      'lk.chat_ctx': '24',
      'mlflow.spanOutputs': '25',
      input: '26',
      output: '27',
      'pydantic_ai.all_messages': '28',
      tool_response: '29',
      'flue.step.result': '30',
      'ai.telemetry.metadata.plan': '31',
      'svc.metadata.plan': '32',
    }
    expect((await given(attributes)).toSorted()).toEqual(Object.values(attributes).toSorted())
  })
})

describe('the result of a mask', () => {
  it.each<[answer: unknown, input: unknown, metadata: unknown]>([
    ['masked', 'masked', '"masked"'],
    ['', '', '""'],
    [7, 7, '7'],
    [false, false, 'false'],
    [{ a: 1 }, '{"a":1}', '{"a":1}'],
    [null, undefined, undefined],
    [undefined, undefined, undefined],
  ])('of %j is written as %j, in metadata as %j', async (answer, input, metadata) => {
    const attributes = { 'svc.observation.input': 'secret', 'svc.observation.metadata.key': '"secret"', other: 'x' }
    const result = await masked(() => answer, attributes)
    expect(result['svc.observation.input']).toBe(input)
    expect(result['svc.observation.metadata.key']).toBe(metadata)
    expect(Object.keys(result)).toHaveLength(answer === null || answer === undefined ? 1 : 3)
  })

  it('may be a promise, and metadata keep their types', async () => {
    const mask: MaskFunction = async ({ data }) => (typeof data === 'number' ? data + 1 : 'masked')
    const attributes = { 'svc.observation.input': 'secret', 'svc.observation.metadata.n': '5' }
    expect(await masked(mask, attributes)).toEqual({
      'svc.observation.input': 'masked',
      'svc.observation.metadata.n': '6',
    })
  })

  it.each<[how: string, mask: MaskFunction]>([
    [
      'throws',
      () => {
        throw new Error('broken mask')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('broken mask')
      },
    ],
  ])('that %s is replaced by a placeholder, with a warning', async (_, mask) => {
    const attributes = { 'svc.observation.input': 'secret', 'svc.observation.metadata.key': '"secret"', other: 'x' }
    expect(await masked(mask, attributes)).toEqual({
      'svc.observation.input': FAILED,
      'svc.observation.metadata.key': JSON.stringify(FAILED),
      other: 'x',
    })
    expect(log.lines('mask failed for svc.observation.input')).toEqual([expect.stringContaining('(Error; ')])
  })

  it('that throws is reported once, without the value', async () => {
    const { tracer, exported } = exporting({ mask: ({ data }) => JSON.parse(data) })
    for (const input of ['secret one', 'secret two']) {
      tracer()
        .startSpan('s', { attributes: { 'svc.observation.input': input } })
        .end()
    }
    await exported()
    expect(log.lines()).toEqual([expect.stringContaining('mask failed for svc.observation.input')])
    expect(log.lines('secret')).toEqual([])
  })

  it('may be a modified argument, and the span stays unchanged', async () => {
    const attributes = { 'svc.observation.input': ['secret'], 'svc.observation.metadata.key': ['secret'] }
    const { tracer, exported } = exporting({
      mask: ({ data }) => {
        data[0] = 'masked'
        return data[0]
      },
    })
    const span = tracer().startSpan('s', { attributes })
    span.end()
    expect((await exported())[0]?.attributes['svc.observation.input']).toBe('masked')
    expect((span as unknown as ReadableSpan).attributes).toMatchObject(attributes)
  })

  it.each<[how: string, pause: () => unknown]>([
    ['at once', () => undefined],
    ['later', () => Promise.resolve()],
  ])('is not computed for spans that the mask starts itself %s', async (_, pause) => {
    let maskedValues = 0
    const { tracer, exported } = exporting({
      mask: ({ data }) => {
        const ask = () => {
          if (++maskedValues < 100)
            tracer()
              .startSpan('ask', { attributes: { 'svc.observation.input': data } })
              .end()
          return 'masked'
        }
        const waiting = pause()
        return waiting instanceof Promise ? waiting.then(ask) : ask()
      },
    })
    tracer()
      .startSpan('s', { attributes: { 'svc.observation.input': 'secret' } })
      .end()
    expect((await exported()).map(({ name }) => name)).toEqual(['s'])
    expect(maskedValues).toBe(1)
  })

  it('is a placeholder for everything if the mask is not a function', async () => {
    expect(await masked('redact' as never, { 'svc.observation.input': 'secret' })).toEqual({
      'svc.observation.input': FAILED,
    })
  })

  it('that never resolves is not awaited forever', async () => {
    const { tracer } = exporting()
    const span = tracer().startSpan('s', { attributes: { 'svc.observation.input': 'secret' } }) as Span
    const result = await masker(() => new Promise(() => {}), 10)(span)
    expect(result.attributes['svc.observation.input']).toBe(FAILED)
    expect(log.lines('mask failed for svc.observation.input')).toHaveLength(1)
  })

  it('does not reach other processors of the provider', async () => {
    const others: ReadableSpan[] = []
    const other: SpanProcessor = {
      onStart() {},
      onEnd: (span) => void others.push(span),
      forceFlush: async () => {},
      shutdown: async () => {},
    }
    const { tracer, exported } = exporting({ mask: () => 'masked' }, { spanProcessors: [other] })
    tracer()
      .startSpan('s', { attributes: { 'svc.observation.input': 'secret' } })
      .end()
    expect((await exported())[0]?.attributes['svc.observation.input']).toBe('masked')
    expect(others[0]?.attributes['svc.observation.input']).toBe('secret')
  })

  it('is computed only for spans that pass the filter', async () => {
    let maskedValues = 0
    const { tracer, exported } = exporting({ env: environmentOf({}), mask: () => ++maskedValues })
    tracer('dropped')
      .startSpan('s', { attributes: { 'svc.observation.input': 'secret' } })
      .end()
    expect(await exported()).toEqual([])
    expect(maskedValues).toBe(0)
  })

  it('is awaited by a flush', async () => {
    let answer: (value: string) => void = () => {}
    const mask = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    const { tracer, processor, exported } = exporting({ mask })
    tracer()
      .startSpan('s', { attributes: { 'svc.observation.input': 'secret' } })
      .end()
    const flushed = processor.forceFlush()
    answer('masked')
    await flushed
    expect((await exported())[0]?.attributes['svc.observation.input']).toBe('masked')
  })

  it('is applied to metadata as deep as JSON allows', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const result = await masked(({ data }) => data, { 'svc.observation.metadata.deep': deep })
    expect(result['svc.observation.metadata.deep']).toBe(JSON.stringify('<failed to serialize>'))
  })
})
