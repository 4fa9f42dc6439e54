import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { exporting, under } from '../test/support/tracing.ts'
import { SameCalls } from './same-call.ts'

afterEach(() => void vi.useRealTimers())

const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' }
const USAGE = { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 7 }
/** What our clients write. */
const OURS = {
  ...CHAT,
  'svc.observation.input': '{"messages":[{"role":"user","content":"Hi"}]}',
  'svc.observation.output': '[{"role":"assistant","content":"Hello"}]',
  'svc.observation.usage_details': '{"input":10,"output":7,"total":17}',
}

function traced() {
  const { tracer, exported } = exporting({ shouldExportSpan: () => true })
  // Never in the context that is active: what shares this process may have left one.
  const start = (name: string, attributes: Attributes, above?: Span) =>
    tracer('app').startSpan(name, { attributes }, above ? under(above) : ROOT_CONTEXT)
  return { start, exported }
}

/** Spans as `child < parent`. */
function drawn(spans: readonly ReadableSpan[]): string[] {
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]))
  return spans.map(({ name, parentSpanContext: parent }) =>
    parent ? `${name} < ${names.get(parent.spanId) ?? 'unknown'}` : name,
  )
}

describe('a model call directly in one of the same operation', () => {
  it('is one with it, at the place of the outer one, with what either says', async () => {
    const { start, exported } = traced()
    const root = start('root', {})
    const outer = start('framework', { ...CHAT, ...USAGE, 'gen_ai.conversation.id': 'c' }, root)
    start('client', OURS, outer).end()
    outer.end()
    root.end()
    const spans = await exported()
    expect(drawn(spans)).toEqual(['framework < root', 'root'])
    expect(spans[0]?.attributes).toMatchObject({ ...OURS, 'gen_ai.conversation.id': 'c' })
  })

  it.each([
    ["Google's Agent Development Kit", 'gcp.vertex.agent', 'call_llm'],
    ['Gemini CLI', 'gemini-cli', 'llm_call'],
  ])('is one with that of %s, whose span says at its end what it is, in a word of its own', async (_, scope, name) => {
    const { tracer, exported } = exporting()
    const atEnd = { 'gen_ai.request.model': 'm', 'gen_ai.operation.name': name, ...USAGE }
    // Ended spans are read a while later, when the outer one may have ended, too.
    for (const isReadLate of [false, true]) {
      const outer = tracer(scope).startSpan(name, {}, ROOT_CONTEXT)
      const inner = tracer('@svc/instrumentation-google-genai').startSpan('inner', { attributes: OURS }, under(outer))
      if (!isReadLate) inner.end()
      outer.setAttributes(atEnd)
      if (isReadLate) inner.end()
      outer.end()
    }
    const spans = await exported()
    expect(drawn(spans)).toEqual([name, name])
    for (const { attributes } of spans) expect(attributes).toMatchObject({ ...OURS, ...atEnd })
  })

  it('is one with all of them, however many layers there are', async () => {
    const { start, exported } = traced()
    const outer = start('outer', CHAT)
    const middle = start('middle', { ...CHAT, ...USAGE }, outer)
    start('inner', OURS, middle).end()
    middle.end()
    outer.end()
    const spans = await exported()
    expect(drawn(spans)).toEqual(['outer'])
    expect(spans[0]?.attributes).toMatchObject(OURS)
  })

  it.each<[whose: string, outer: Attributes]>([
    ['the application', { 'svc.observation.type': 'generation', 'svc.observation.input': 'mine' }],
    ['Gemini', { 'gen_ai.operation.name': 'generate_content' }],
    ['who says what the service reads', { 'gen_ai.operation.name': 'completion' }],
    ['OpenInference', { 'openinference.span.kind': 'LLM' }],
    ['Genkit', { 'genkit:metadata:subtype': 'model' }],
    ['Traceloop', { 'llm.request.type': 'chat' }],
  ])('of %s is one with it, and its words count', async (_, attributes) => {
    const { start, exported } = traced()
    const outer = start('outer', attributes)
    start('inner', OURS, outer).end()
    outer.end()
    expect((await exported()).map((span) => span.attributes)).toMatchObject([{ ...OURS, ...attributes }])
  })

  it('has failed if either has', async () => {
    const { start, exported } = traced()
    const outer = start('outer', CHAT)
    start('inner', CHAT, outer).setStatus({ code: SpanStatusCode.ERROR, message: 'down' }).end()
    outer.end()
    expect((await exported()).map(({ status }) => status)).toEqual([{ code: SpanStatusCode.ERROR, message: 'down' }])
  })

  it('is a call by itself if another span lies between, or the operation is another one', async () => {
    const { start, exported } = traced()
    const outer = start('outer', CHAT)
    const tool = start('tool', { 'gen_ai.operation.name': 'execute_tool' }, outer)
    start('inner', CHAT, tool).end()
    tool.end()
    start('embedding', { 'gen_ai.operation.name': 'embeddings' }, outer).end()
    outer.end()
    expect(drawn(await exported())).toEqual(['inner < tool', 'tool < outer', 'embedding < outer', 'outer'])
  })

  it('is a call by itself if it is a parent', async () => {
    const { start, exported } = traced()
    const outer = start('outer', CHAT)
    const inner = start('inner', CHAT, outer)
    start('below', {}, inner).end()
    inner.end()
    outer.end()
    expect(drawn(await exported())).toEqual(['below < inner', 'inner < outer', 'outer'])
  })
})

describe('a model call around several ones', () => {
  it('groups them, without tokens or a price of its own', async () => {
    const { start, exported } = traced()
    const outer = start('outer', { ...CHAT, ...USAGE, 'svc.observation.usage_details': '{"input":20}' })
    for (const name of ['one', 'two', 'three']) start(name, OURS, outer).end()
    outer.end()
    const spans = await exported()
    expect(drawn(spans)).toEqual(['one < outer', 'two < outer', 'three < outer', 'outer'])
    expect(spans.at(-1)?.attributes).toMatchObject({
      ...CHAT,
      'svc.observation.type': 'span',
      'svc.observation.cost_details': '{"total":0}',
    })
    expect(Object.keys(spans.at(-1)?.attributes ?? {}).filter((name) => /usage/.test(name))).toEqual([])
  })
})

describe('a model call whose request is served by the same process', () => {
  // framework ── outer ── request ── handler ── inner
  const served = (attributes: Attributes) => {
    const { tracer, exported } = exporting({ shouldExportSpan: () => true })
    const framework = tracer().startSpan('framework', { attributes: { ...CHAT, ...USAGE } }, ROOT_CONTEXT)
    const outer = tracer().startSpan('outer', { attributes: { ...CHAT, ...USAGE } }, under(framework))
    const request = tracer().startSpan('request', { kind: SpanKind.SERVER }, under(outer))
    const handler = tracer().startSpan('handler', {}, under(request))
    const inner = tracer().startSpan('inner', { attributes }, under(handler))
    return { exported, ends: [inner, handler, request, outer, framework] }
  }

  it.each(['before', 'after'])('groups the call that is made for it, which ends %s it', async (order) => {
    const { exported, ends } = served(OURS)
    for (const span of order === 'before' ? ends : ends.toReversed()) span.end()
    const spans = await exported()
    const parents = ['inner < handler', 'handler < request', 'request < outer', 'outer < framework', 'framework']
    expect(drawn(spans)).toEqual(order === 'before' ? parents : parents.toReversed())
    const calls = spans.filter(({ attributes }) => attributes['svc.observation.type'] !== 'span')
    expect(calls.map(({ name }) => name).filter((name) => !/handler|request/.test(name))).toEqual(['inner'])
    expect(spans.filter(({ attributes }) => 'gen_ai.usage.input_tokens' in attributes)).toEqual([])
  })

  it('is the call if none is made for it', async () => {
    const { exported, ends } = served({ 'gen_ai.operation.name': 'embeddings' })
    for (const span of ends) span.end()
    expect((await exported()).at(-1)?.attributes).toMatchObject({ ...CHAT, ...USAGE })
  })
})

describe('a model call whose outer one does not end', () => {
  it('waits for two seconds', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { start } = traced()
    const passed: ReadableSpan[] = []
    const calls = new SameCalls((span) => passed.push(span))
    const [outer, inner] = [start('outer', { ...CHAT, ...USAGE }), start('inner', OURS)] as unknown as ReadableSpan[]
    expect(calls.wait(inner as ReadableSpan, () => outer)).toBe(true)
    vi.advanceTimersByTime(1_999)
    expect(passed).toEqual([])
    vi.advanceTimersByTime(1)
    expect(passed.map(({ name, parentSpanContext }) => [name, parentSpanContext])).toEqual([
      ['inner', outer?.spanContext()],
    ])
    expect(calls.ended(outer as ReadableSpan).attributes).toMatchObject({ 'svc.observation.type': 'span' })
  })

  it('does not wait at a flush', async () => {
    const { start, exported } = traced()
    start('inner', OURS, start('outer', CHAT)).end()
    expect(drawn(await exported())).toEqual(['inner < unknown'])
  })

  it('waits beside 255 others, and no more', () => {
    const { start } = traced()
    const passed: unknown[] = []
    const calls = new SameCalls((span) => passed.push(span))
    const span = () => start('call', CHAT) as unknown as ReadableSpan
    for (let call = 0; call < 257; call += 1) calls.wait(span(), span)
    expect(passed).toHaveLength(1)
    calls.settle()
    expect(passed).toHaveLength(257)
  })
})
