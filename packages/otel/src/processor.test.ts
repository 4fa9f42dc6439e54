import { type Context, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { AlwaysOffSampler, createAlwaysRecordSampler, type Span } from '@opentelemetry/sdk-trace'
import { claimTrace, withLateAttributes, withPropagatedAttributes } from '@svc/core/context'
import { environmentOf } from '@svc/core/environment'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { expectToAddUp } from '../test/support/health.ts'
import { startIntake } from '../test/support/intake.ts'
import { exporting, KEYS, tracing, under } from '../test/support/tracing.ts'
import { SvcSpanProcessor } from './processor.ts'

const log = catchLog()

const claimed = (traceId: string, base: Context = ROOT_CONTEXT) =>
  propagation.setBaggage(base, propagation.createBaggage({ svc_trace_id: { value: traceId } }))
const isRoot = (span: unknown) => (span as Span).attributes['svc.internal.is_app_root']

describe('a span that starts', () => {
  it('has environment and release', async () => {
    const { tracer, exported } = exporting({ environment: 'test', release: 'r1' })
    tracer().startSpan('s').end()
    expect((await exported())[0]?.attributes).toMatchObject({ 'svc.environment': 'test', 'svc.release': 'r1' })
  })

  it('has the option over the environment variable', async () => {
    const env = environmentOf({ SVC_TRACING_ENVIRONMENT: 'from-env', SVC_RELEASE: 'r-env' })
    const { tracer, exported } = exporting({ env, environment: 'from-option' })
    tracer().startSpan('s').end()
    expect((await exported())[0]?.attributes).toMatchObject({
      'svc.environment': 'from-option',
      'svc.release': 'r-env',
    })
  })

  it('has propagated values over defaults, and its own attributes over both', async () => {
    const { tracer, exported } = exporting({ environment: 'default' })
    const context = withPropagatedAttributes(ROOT_CONTEXT, { 'svc.environment': 'propagated', 'user.id': 'u1' })
    tracer().startSpan('propagated', {}, context).end()
    tracer().startSpan('own', {}, context).setAttribute('svc.environment', 'own').end()
    const environments = (await exported()).map(({ attributes }) => attributes['svc.environment'])
    expect(environments).toEqual(['propagated', 'own'])
    expect((await exported())[0]?.attributes['user.id']).toBe('u1')
  })

  it('keeps an environment that it is created with', async () => {
    const { tracer, exported } = exporting({ environment: 'default' })
    tracer()
      .startSpan('s', { attributes: { 'svc.environment': 'own' } })
      .end()
    expect((await exported())[0]?.attributes['svc.environment']).toBe('own')
  })

  it('keeps a prompt that it is created with over a propagated one', async () => {
    const { tracer, exported } = exporting()
    const context = withPropagatedAttributes(ROOT_CONTEXT, {
      'svc.observation.prompt.name': 'outer',
      'svc.observation.prompt.version': 3,
    })
    tracer()
      .startSpan('own', { attributes: { 'svc.observation.prompt.name': 'inner' } }, context)
      .end()
    tracer().startSpan('propagated', {}, context).end()
    const [own, propagated] = await exported()
    expect(own?.attributes).toMatchObject({ 'svc.observation.prompt.name': 'inner' })
    expect(own?.attributes).not.toHaveProperty('svc.observation.prompt.version')
    expect(propagated?.attributes).toMatchObject({
      'svc.observation.prompt.name': 'outer',
      'svc.observation.prompt.version': 3,
    })
  })
})

describe('baggage that is not trusted', () => {
  const theirs = propagation.setBaggage(
    ROOT_CONTEXT,
    propagation.createBaggage({ svc_user_id: { value: 'theirs' }, svc_trace_name: { value: 'theirs' } }),
  )

  it('is not written on spans, unlike values of this process', async () => {
    const { tracer, exported } = exporting({ env: environmentOf({ SVC_TRUST_BAGGAGE: 'false' }) })
    tracer()
      .startSpan('s', {}, withPropagatedAttributes(theirs, { 'user.id': 'ours' }))
      .end()
    const [span] = await exported()
    expect(span?.attributes['user.id']).toBe('ours')
    expect(span?.attributes).not.toHaveProperty('svc.trace.name')
  })

  it('claims no app root; an ancestor in this process does', () => {
    const { tracer } = exporting({ trustBaggage: false })
    const parent = tracer('http').startSpan('filtered')
    const { traceId } = parent.spanContext()
    expect(isRoot(tracer().startSpan('s', {}, claimed(traceId, under(parent))))).toBe(true)
    expect(isRoot(tracer().startSpan('s', {}, claimTrace(under(parent), traceId)))).toBeUndefined()
  })
})

describe('the app-root mark (contract 1.6)', () => {
  it('is set on an exported span without parent, and not on its exported child', () => {
    const { tracer } = exporting()
    const parent = tracer().startSpan('parent')
    const child = tracer().startSpan('child', {}, under(parent))
    expect([isRoot(parent), isRoot(child)]).toEqual([true, undefined])
  })

  it('is set on all exported children of a filtered parent, whatever is above it', () => {
    const { tracer } = exporting()
    const top = tracer().startSpan('top')
    const filtered = tracer('my-http').startSpan('filtered', {}, under(top))
    const children = ['a', 'b'].map((name) => tracer().startSpan(name, {}, under(filtered)))
    expect(isRoot(filtered)).toBeUndefined()
    expect(children.map(isRoot)).toEqual([true, true])
  })

  it('is set on a child that starts after its parent ended', () => {
    const { tracer } = exporting()
    const parent = tracer().startSpan('parent')
    parent.end()
    expect(isRoot(tracer().startSpan('late', {}, under(parent)))).toBe(true)
  })

  it('is set on a span with a remote parent', () => {
    const { tracer } = exporting()
    const sender = tracer().startSpan('sender')
    const received = { ...sender.spanContext(), isRemote: true }
    const carrier = { ...sender, spanContext: () => received } as unknown as typeof sender
    expect(isRoot(tracer().startSpan('receiver', {}, under(carrier)))).toBe(true)
  })

  it('is not set if an ancestor claimed the trace in the baggage, in any case of the id', () => {
    const { tracer } = exporting()
    const filtered = tracer('my-http').startSpan('filtered')
    const { traceId } = filtered.spanContext()
    const start = (id: string) => tracer().startSpan('s', {}, under(filtered, claimed(id)))
    expect(isRoot(start(traceId.toUpperCase()))).toBeUndefined()
    expect(isRoot(start('f'.repeat(32)))).toBe(true)
  })

  it('is decided by the attributes at the start, and stays if the end decides otherwise', async () => {
    let filteredNames = 0
    const { tracer, exported } = exporting({ shouldExportSpan: () => filteredNames++ === 0 })
    const span = tracer('x').startSpan('s')
    span.end()
    expect(isRoot(span)).toBe(true)
    expect(await exported()).toEqual([])
  })
})

describe('a span that ends', () => {
  it('is sent before a flush resolves, if it passes the filter', async () => {
    await using intake = await startIntake()
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url })
    tracer('svc-sdk').startSpan('kept').end()
    tracer('my-tracer').startSpan('dropped').end()
    await processor.forceFlush()
    expect(intake.spans).toMatchObject([{ name: 'kept', scope: 'svc-sdk' }])
  })

  it('is filtered in immediate mode as well', async () => {
    await using intake = await startIntake()
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, exportMode: 'immediate' })
    for (const name of ['a', 'b']) tracer('svc-sdk').startSpan(name).end()
    tracer('my-tracer').startSpan('dropped').end()
    await processor.forceFlush()
    expect(intake.spans.map(({ name }) => name).sort()).toEqual(['a', 'b'])
    expect(intake.requests).toHaveLength(2)
  })

  it('is sent without a flush in immediate mode', async () => {
    await using intake = await startIntake()
    const { tracer } = tracing({ ...KEYS, baseUrl: intake.url, exportMode: 'immediate' })
    tracer().startSpan('now').end()
    await intake.arrived(1)
    expect(intake.spans).toMatchObject([{ name: 'now' }])
  })

  it('reaches the queue synchronously if nothing has to be masked or extracted', () => {
    const delivered: string[] = []
    const { tracer } = exporting({ onDelivered: ({ name }) => delivered.push(name), mask: ({ data }) => data })
    tracer()
      .startSpan('s', { attributes: { 'svc.observation.input': 'plain' } })
      .end()
    expect(delivered).toEqual(['s'])
  })

  it('is not sent when it was recorded but not sampled', async () => {
    await using intake = await startIntake()
    const sampler = createAlwaysRecordSampler(new AlwaysOffSampler())
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url }, { sampler })
    tracer().startSpan('unsampled').end()
    await processor.shutdown()
    expect(intake.requests).toEqual([])
  })
})

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

describe('the shutdown of the processor', () => {
  it('sends pending spans, and afterwards stamps and sends nothing', async () => {
    await using intake = await startIntake()
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, environment: 'test' })
    tracer().startSpan('before').end()
    await processor.shutdown()
    const late = tracer().startSpan('after') as Span
    late.end()
    await processor.forceFlush()
    await processor.shutdown()
    expect(late.attributes).toEqual({})
    expect(intake.spans.map(({ name }) => name)).toEqual(['before'])
  })

  it('sends other spans while a mask hangs', async () => {
    await using intake = await startIntake()
    const mask = () => new Promise<never>(() => {})
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, mask, shutdownTimeout: 0.3 })
    tracer().startSpan('fine').end()
    tracer()
      .startSpan('masked', { attributes: { 'svc.observation.input': 'x' } })
      .end()
    await processor.shutdown()
    expect(intake.spans.map(({ name }) => name)).toEqual(['fine'])
    expect(processor.health()).toMatchObject({ ended: 2, sent: 1, pending: 0, dropped: { shutdown: 1 } })
  })

  it('sends a span whose deferred attributes never resolve', async () => {
    await using intake = await startIntake()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, shutdownTimeout: 120 })
    const late = { read: () => ({}), pending: () => new Promise<never>(() => {}) }
    tracer().startSpan('late', {}, withLateAttributes(ROOT_CONTEXT, late)).end()
    const ended = processor.shutdown()
    await vi.advanceTimersByTimeAsync(59_000)
    expect(intake.spans).toEqual([])
    // What comes late is waited for during half of the time.
    await vi.advanceTimersByTimeAsync(1_000)
    await ended
    expect(intake.spans.map(({ name }) => name)).toEqual(['late'])
  })

  it('reports why a span was refused that others overtook', async () => {
    await using intake = await startIntake((response, { spans }) => {
      const isPoison = spans.some(({ name }) => name === 'poison')
      response.writeHead(isPoison ? 400 : 200).end(isPoison ? 'bad span' : '{}')
    })
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url })
    tracer().startSpan('poison').end()
    await processor.forceFlush()
    tracer().startSpan('next').end()
    await processor.shutdown()
    expect(log.lines('it answered 400: bad span. 1 span is lost.')).toHaveLength(1)
    expectToAddUp(processor.health())
  })
})
