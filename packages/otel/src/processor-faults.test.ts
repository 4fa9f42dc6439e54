import type { Span } from '@opentelemetry/sdk-trace'
import { environmentOf } from '@svc/core/environment'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { startIntake } from '../test/support/intake.ts'
import { exporting, isRoot, KEYS, tracing, under } from '../test/support/tracing.ts'
import { SvcSpanProcessor } from './processor.ts'

const log = catchLog()

describe('invalid configuration never throws:', () => {
  it('a missing key causes one warning with the remedy', async () => {
    const { processor, tracer } = tracing({ publicKey: 'pk' })
    tracing({ publicKey: 'pk' })
    tracer().startSpan('s').end()
    await processor.shutdown()
    expect(log.lines()).toEqual([
      'svc: [WARN] no SVC_SECRET_KEY, so spans are recorded but not sent. Set it, or SVC_TRACING_ENABLED=false to silence this.',
    ])
  })

  it('a custom exporter needs no keys', () => {
    exporting()
    expect(log.lines()).toEqual([])
  })

  it('an invalid base URL sends nothing, not even to the hosted service', async () => {
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: 'not a url' })
    tracer().startSpan('s').end()
    await processor.forceFlush()
    expect(log.lines()).toEqual([
      expect.stringContaining('option baseUrl = "not a url" is not usable, so nothing is sent'),
    ])
  })

  it.each<[option: string, value: unknown]>([
    ['publicKey', '“pk”'],
    ['flushAt', 'many'],
    ['flushInterval', 0],
    ['timeout', 'soon'],
    ['exportMode', 'sometimes'],
    ['shouldExportSpan', 'yes'],
    ['exporter', {}],
    ['additionalHeaders', { 'bad name': 'x' }],
    ['environment', 'SVC production'],
    ['compression', 'brotli'],
  ])('option %s = %j causes one line that names it', (option, value) => {
    new SvcSpanProcessor({ env: environmentOf({}), ...KEYS, [option]: value })
    expect(log.lines(option)).toHaveLength(1)
  })

  it('null options are ignored', () => {
    expect(() => new SvcSpanProcessor(null as never)).not.toThrow()
  })
})

describe('the processor never harms the application:', () => {
  it('a filter that throws drops the span, with a warning once a minute', async () => {
    const shouldExportSpan = () => {
      throw new Error('my filter is broken')
    }
    const { tracer, exported } = exporting({ shouldExportSpan })
    const span = tracer().startSpan('s')
    expect(isRoot(span)).toBeUndefined()
    span.end()
    tracer().startSpan('next').end()
    expect(await exported()).toEqual([])
    expect(log.lines('shouldExportSpan failed')).toEqual([
      expect.stringContaining('"s" is dropped: my filter is broken.'),
    ])
  })

  it('only `false` of a filter drops a span, and a promise causes one warning', async () => {
    const { tracer, exported } = exporting({ shouldExportSpan: (() => Promise.resolve(false)) as never })
    tracer('x').startSpan('a').end()
    tracer('x').startSpan('b').end()
    expect(await exported()).toHaveLength(2)
    expect(log.lines('shouldExportSpan returned a promise')).toHaveLength(1)
  })

  it('an attribute that throws when read loses only its value', async () => {
    await using intake = await startIntake()
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url })
    const broken = tracer().startSpan('broken') as Span
    Object.defineProperty(broken.attributes, 'user.id', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    broken.end()
    tracer().startSpan('fine').end()
    await processor.forceFlush()
    expect(intake.spans).toMatchObject([
      { name: 'broken', attributes: { 'user.id': '<failed to serialize>' } },
      { name: 'fine' },
    ])
    expect(log.lines('The attribute user.id of a span of "svc-sdk" cannot be encoded')).toHaveLength(1)
  })

  it('circular, deep and large attribute values neither throw nor stop the others', async () => {
    await using intake = await startIntake()
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, mask: ({ data }) => data })
    const circular: Record<string, unknown> = {}
    circular.self = circular
    let deep: unknown = 1
    for (let level = 0; level < 20_000; level++) deep = [deep]
    const values: Record<string, unknown> = { circular, deep, large: 'x'.repeat(10_000_000) }
    for (const [name, value] of Object.entries(values)) {
      const span = tracer().startSpan(name) as Span
      // Past the checks of the SDK, which would refuse or throw itself.
      Object.assign(span.attributes, { 'svc.observation.input': value, 'svc.observation.metadata.x': value })
      span.end()
    }
    await processor.forceFlush()
    // What does not fit into a batch with others is one alone, and no two requests arrive in any order.
    const requests = intake.requests.map(({ spans }) => spans.map(({ name }) => name))
    expect(requests.sort()).toEqual([['circular', 'deep'], ['large']])
    const inputOf = (of: string) =>
      intake.spans.find(({ name }) => name === of)?.attributes['svc.observation.input'] as string
    expect(inputOf('circular')).toBe('<failed to serialize>')
    expect(inputOf('large')).toHaveLength(10_000_000)
  })

  it('an ended span is never modified', async () => {
    const mask = () => 'masked'
    const { tracer, exported } = exporting({ mask })
    const parent = tracer('dropped').startSpan('parent')
    const attributes = { 'svc.observation.input': 'secret', 'gen_ai.usage.cache_write.input_tokens': 3 }
    const span = tracer().startSpan('s', { attributes }, under(parent)) as Span
    Object.freeze(span.attributes)
    span.end()
    expect(span.attributes).toMatchObject(attributes)
    expect(span.parentSpanContext?.spanId).toBe(parent.spanContext().spanId)
    const [sent] = await exported()
    expect(sent?.attributes['svc.observation.input']).toBe('masked')
    expect(sent?.parentSpanContext).toBeUndefined()
  })
})
