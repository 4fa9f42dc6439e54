import { ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { leaveEmpty } from '@svc/core/left-empty'
import { describe, expect, it } from 'vitest'
import { exporting, tracing, under } from '../../test/support/tracing.ts'
import { RootIo } from './root-io.ts'

const IO = ['svc.observation.input', 'svc.observation.output'] as const
const io = ({ attributes }: ReadableSpan) => IO.map((key) => attributes[key])
const content = (question: string, answer: string) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: question }] }]),
  'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: answer }] }]),
})

function running(params: Parameters<typeof exporting>[0] = {}) {
  const { tracer, exported, provider } = exporting(params)
  const call = (parent: Span | undefined, question: string, answer: string, attributes = {}) =>
    tracer().startSpan(
      'chat',
      { attributes: { ...content(question, answer), ...attributes } },
      parent ? under(parent) : ROOT_CONTEXT,
    )
  const named = async (name: string) => (await exported()).filter((span) => span.name === name)
  const rootIo = async () => (await named('root')).map(io)
  return { tracer, provider, exported, call, rootIo }
}

/** More than is read as a whole. */
const LONG = JSON.stringify([{ content: 'x'.repeat(70_000) }])
const QUOTES = JSON.stringify({ content: '"'.repeat(30_000) })

describe('a root without input and output', () => {
  // root
  // ├─ chat: q1 → a1
  // └─ step
  //    └─ chat: q2 → a2
  it('has the first user message and the last response of the model calls below it', async () => {
    const { tracer, call, rootIo } = running()
    const root = tracer().startSpan('root')
    call(root, 'q1', 'a1').end()
    const step = tracer().startSpan('step', {}, under(root))
    call(step, 'q2', 'a2').end()
    step.end()
    root.end()
    expect(await rootIo()).toEqual([['q1', 'a2']])
  })

  it('has the user message of the call that started first, whichever ends first, even in the same millisecond', async () => {
    const { tracer, rootIo } = running()
    const root = tracer().startSpan('root')
    const startTime = Date.now()
    const call = (question: string, answer: string) =>
      tracer().startSpan('chat', { startTime, attributes: content(question, answer) }, under(root))
    const first = call('q1', 'a1')
    const second = call('q2', 'a2')
    second.end()
    first.end()
    root.end()
    expect(await rootIo()).toEqual([['q1', 'a1']])
  })

  it('is changed only for the service, not for other processors', async () => {
    const seen: ReadableSpan[] = []
    const other = {
      onStart() {},
      onEnd: (span: ReadableSpan) => void seen.push(span),
      forceFlush: async () => {},
      shutdown: async () => {},
    }
    const { tracer } = tracing(
      { exporter: { export: () => {}, shutdown: async () => {} } },
      { spanProcessors: [other] },
    )
    const root = tracer().startSpan('root')
    tracer()
      .startSpan('chat', { attributes: content('q', 'a') }, under(root))
      .end()
    root.end()
    expect(seen.map((span) => span.attributes[IO[0]])).toEqual([undefined, undefined])
  })

  it('is masked', async () => {
    const { tracer, call, rootIo } = running({ mask: ({ data }) => String(data).replaceAll('secret', '***') })
    const root = tracer().startSpan('root')
    call(root, 'my secret', 'secret!').end()
    root.end()
    expect(await rootIo()).toEqual([['my ***', '***!']])
  })

  it('may have a parent in another process, or be the top of the exported spans', async () => {
    const { tracer, call, rootIo } = running({ shouldExportSpan: ({ otelSpan }) => otelSpan.name !== 'dropped' })
    const remote = trace.setSpanContext(ROOT_CONTEXT, {
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      traceFlags: 1,
      isRemote: true,
    })
    const dropped = tracer().startSpan('dropped', {}, remote)
    const root = tracer().startSpan('root', {}, under(dropped))
    call(root, 'q', 'a').end()
    root.end()
    dropped.end()
    expect(await rootIo()).toEqual([['q', 'a']])
  })

  it('is not a span whose root ended before', async () => {
    const { tracer, call, exported } = running()
    const root = tracer().startSpan('root')
    const step = tracer().startSpan('step', {}, under(root))
    root.end()
    call(step, 'q', 'a').end()
    step.end()
    expect((await exported()).filter((span) => span.name === 'step').map(io)).toEqual([[undefined, undefined]])
  })

  it.each([
    ['embeddings', { 'gen_ai.operation.name': 'embeddings' }],
    ['a tool', { 'gen_ai.operation.name': 'execute_tool' }],
    ['an agent', { 'svc.observation.type': 'agent' }],
  ])('has no input and output of %s', async (_, attributes) => {
    const { tracer, call, rootIo } = running()
    const root = tracer().startSpan('root')
    call(root, 'q', 'a', attributes).end()
    root.end()
    expect(await rootIo()).toEqual([[undefined, undefined]])
  })

  it.each([
    ['an observation', { 'svc.observation.type': 'generation', [IO[0]]: 'q', [IO[1]]: 'a' }],
    [
      'OpenInference',
      {
        'openinference.span.kind': 'LLM',
        'input.value': '{"messages":[{"role":"user","content":"q"}]}',
        'output.value': 'a',
      },
    ],
    [
      'the AI SDK',
      { 'ai.prompt.messages': '[{"role":"user","content":[{"type":"text","text":"q"}]}]', 'ai.response.text': 'a' },
    ],
  ])('has input and output of third-party spans: %s', async (_, attributes) => {
    const { tracer, rootIo } = running()
    const root = tracer().startSpan('root')
    tracer().startSpan('call', { attributes }, under(root)).end()
    root.end()
    expect(await rootIo()).toEqual([['q', 'a']])
  })

  it.each([
    ['an object', { 'ai.response.object': '{"content":"x","score":1}' }, '{"content":"x","score":1}'],
    [
      'tool calls',
      { 'ai.response.toolCalls': '[{"toolCallId":"1","toolName":"look","input":"{\\"id\\":1}"}]' },
      '[{"tool":"look","arguments":{"id":1}}]',
    ],
    ['a text beside tool calls', { 'ai.response.text': 'a', 'ai.response.toolCalls': '[]' }, 'a'],
    [
      'tool calls without text, streamed',
      { 'ai.response.text': '', 'ai.response.toolCalls': '[{"toolName":"look","input":{"id":1}}]' },
      '[{"tool":"look","arguments":{"id":1}}]',
    ],
    ['no tool calls', { 'ai.response.text': '', 'ai.response.toolCalls': '[]' }, undefined],
    ['an empty object', { 'ai.response.object': '' }, undefined],
    ['a long object', { 'ai.response.object': LONG }, LONG],
    ['an object whose escapes are long', { 'ai.response.object': QUOTES }, QUOTES],
    ['long tool calls', { 'ai.response.toolCalls': LONG }, LONG],
    ['cut tool calls', { 'ai.response.toolCalls': '[{"toolName":"lo' }, '[{"toolName":"lo'],
  ])('has the answer of the AI SDK that is %s', async (_, answer, expected) => {
    const { tracer, rootIo } = running()
    const root = tracer().startSpan('root')
    const attributes = { 'ai.prompt.messages': '[{"role":"user","content":"q"}]', ...answer }
    tracer().startSpan('call', { attributes }, under(root)).end()
    root.end()
    expect(await rootIo()).toEqual([['q', expected]])
  })
})

describe('a root with input or output', () => {
  it.each([
    ['both', { [IO[0]]: 'mine', [IO[1]]: 'mine too' }, ['mine', 'mine too']],
    ['one half, and gets the other', { [IO[0]]: 'mine' }, ['mine', 'a']],
    ['what the service reads elsewhere', { 'input.value': 'mine' }, [undefined, undefined]],
  ])('keeps them: %s', async (_, attributes, expected) => {
    const { tracer, call, rootIo } = running()
    const root = tracer().startSpan('root')
    call(root, 'q', 'a').end()
    root.setAttributes(attributes).end()
    expect(await rootIo()).toEqual([expected])
  })

  it('keeps an intentionally empty input or output', async () => {
    const { tracer, call, rootIo } = running()
    const root = tracer().startSpan('root')
    leaveEmpty(root, 'output')
    call(root, 'q', 'a').end()
    root.end()
    expect(await rootIo()).toEqual([['q', undefined]])
  })

  it('keeps both empty with rootIo: false', async () => {
    const { tracer, call, rootIo } = running({ rootIo: false })
    const root = tracer().startSpan('root')
    call(root, 'q', 'a').end()
    root.end()
    expect(await rootIo()).toEqual([[undefined, undefined]])
  })
})

describe('the memory for open roots', () => {
  const callOf = (question: string): ReadableSpan =>
    ({ attributes: content(question, 'a'), startTime: [1, 0] }) as unknown as ReadableSpan
  const rootOf = (): ReadableSpan => ({ attributes: {} }) as unknown as ReadableSpan

  it('is bounded: the oldest open roots lose their input and output', () => {
    const rootIo = new RootIo(200)
    const roots = ['one', 'two', 'three', 'four'].map((question) => {
      const root = rootOf()
      rootIo.end(callOf(question), () => ({ span: root, order: 0 }))
      return root
    })
    const shown = roots.map((root) => rootIo.end(root, undefined)?.[IO[0]])
    expect(shown.at(0)).toBeUndefined()
    expect(shown.at(-1)).toBe('four')
  })

  it('is released when the root ends', () => {
    const rootIo = new RootIo(300)
    for (let times = 0; times < 100; times += 1) {
      const root = rootOf()
      rootIo.end(callOf('q'), () => ({ span: root, order: 0 }))
      expect(rootIo.end(root, undefined)?.[IO[0]]).toBe('q')
      expect(rootIo.end(root, undefined)).toBeUndefined()
    }
  })
})
