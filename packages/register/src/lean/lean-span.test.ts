import { inspect } from 'node:util'
import {
  type Attributes,
  type HrTime,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { suppressTracing } from '@opentelemetry/core'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { leanTracers } from './lean-tracer.ts'

const limits = {
  attributeCountLimit: 4,
  attributeValueLengthLimit: 6,
  eventCountLimit: 2,
  linkCountLimit: 2,
  attributePerEventCountLimit: 2,
  attributePerLinkCountLimit: 1,
}
const resource = resourceFromAttributes({ 'service.name': 'shop' })
const ids = { generateTraceId: () => 'a'.repeat(32), generateSpanId: () => 'b'.repeat(16) }
const scope = { name: 'svc-sdk', version: '6' }
const sampler = new ParentBasedSampler({ root: new AlwaysOnSampler() })
const seen: string[] = []
const processor: SpanProcessor = {
  onStart: (span) => seen.push(`start ${span.name}`),
  onEnding: (span) => {
    seen.push(`ending ${span.name}`)
    span.setAttribute('ending', true)
  },
  onEnd: ({ name, ended }) => seen.push(`end ${name} ${ended}`),
  forceFlush: async () => {},
  shutdown: async () => {},
}
const lean = leanTracers({ resource, sampler, samplesByDefault: true, ids, limits, processors: [processor] })(scope)
const sdk = new TracerProvider({
  resource,
  sampler,
  idGenerator: ids,
  spanLimits: limits,
  spanProcessors: [processor],
}).getTracer(scope.name, scope.version)

const MEMBERS = [
  ...[
    'name',
    'kind',
    'parentSpanContext',
    'attributes',
    'links',
    'events',
    'status',
    'startTime',
    'endTime',
    'duration',
  ],
  ...['ended', 'droppedAttributesCount', 'droppedEventsCount', 'droppedLinksCount', 'resource', 'instrumentationScope'],
]

/** What a reader sees, and what the processors received. */
function read(span: Span) {
  const members = MEMBERS.map((name) => [name, Reflect.get(span, name)])
  const order = Object.keys(Reflect.get(span, 'attributes') ?? {})
  const context = { ...span.spanContext() }
  return { ...Object.fromEntries(members), order, context, recording: span.isRecording(), seen: seen.splice(0) }
}

const value = fc.oneof(
  fc.string(),
  fc.string({ minLength: 7, maxLength: 9 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 3 }),
  fc.constantFrom(
    undefined,
    null,
    1n,
    Symbol('no'),
    () => {},
    new Date(0),
    { nested: { deep: 'abcdefgh' } },
    Buffer.of(1),
  ),
)
const key = fc.constantFrom('', 'a', 'b', 'c', 'd', 'e', 'f', 'constructor')
const attributes = fc.dictionary(key, value, { maxKeys: 6 })
const time = fc.constantFrom(undefined, 5, 1_700_000_000_500, new Date(1_700_000_001_000), [1_700_000_002, 5])
const link = fc.record({
  context: fc.constant({ traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), traceFlags: 1 }),
  attributes: fc.option(attributes, { nil: undefined }),
})
const exception = fc.constantFrom('broken', '', new TypeError('no'), { code: 7, message: 'seven' }, { name: '' }, null)
const status = fc.record(
  { code: fc.constantFrom(...([0, 1, 2] as SpanStatusCode[])), message: fc.constantFrom('no', undefined, 5) },
  { requiredKeys: ['code'] },
)
const call = fc.oneof(
  fc.tuple(fc.constant('setAttribute'), key, value),
  fc.tuple(fc.constant('setAttributes'), attributes),
  fc.tuple(fc.constant('addEvent'), fc.string(), fc.oneof(attributes, time), time),
  fc.tuple(fc.constant('addLink'), link),
  fc.tuple(fc.constant('addLinks'), fc.array(link, { maxLength: 3 })),
  fc.tuple(fc.constant('setStatus'), status),
  fc.tuple(fc.constant('updateName'), fc.string()),
  fc.tuple(fc.constant('recordException'), exception, time),
  fc.tuple(fc.constant('end'), time),
)
const options = fc.record(
  {
    kind: fc.constantFrom(SpanKind.CLIENT, SpanKind.SERVER),
    attributes,
    links: fc.array(link, { maxLength: 3 }),
    startTime: time,
    root: fc.boolean(),
  },
  { requiredKeys: [] },
)
const parent = fc.constantFrom(
  ROOT_CONTEXT,
  suppressTracing(ROOT_CONTEXT),
  ...[TraceFlags.SAMPLED, TraceFlags.NONE].map((traceFlags) =>
    trace.setSpanContext(ROOT_CONTEXT, { traceId: 'e'.repeat(32), spanId: 'f'.repeat(16), traceFlags }),
  ),
  trace.setSpanContext(ROOT_CONTEXT, { traceId: 'no', spanId: 'no', traceFlags: 1 }),
)

beforeEach(() => void seen.splice(0))

describe('a lean span', () => {
  it('has the same fields as an SDK span after any sequence of calls', () => {
    fc.assert(
      fc.property(fc.string(), options, parent, fc.array(call, { maxLength: 12 }), (name, started, above, calls) => {
        const outcomes = [lean, sdk].map((tracer) => {
          vi.useFakeTimers({ now: 1_700_000_000_123, toFake: ['Date', 'performance'] })
          const span = tracer?.startSpan(name, started as object, above) as Span
          for (const [method, ...args] of calls) {
            vi.advanceTimersByTime(3)
            Reflect.apply(Reflect.get(span, method), span, args)
          }
          vi.useRealTimers()
          return read(span)
        })
        expect(outcomes[0]).toEqual(outcomes[1])
      }),
      { numRuns: 500 },
    )
  })

  it.each<[Record<string, unknown>, number]>([
    [{ a: 'four', b: 5, c: true, d: ['ab', 'c', 1] }, 4 + 1 + 1 + 4],
    [{ a: { nested: 'x' } }, Number.POSITIVE_INFINITY],
    [{ a: [['x']] }, Number.POSITIVE_INFINITY],
    [{ a: Buffer.of(1) }, Number.POSITIVE_INFINITY],
  ])('counts the characters of %j as %d', (attributes, characters) => {
    expect(lean?.startSpan('a', { attributes: attributes as Attributes }, ROOT_CONTEXT)).toMatchObject({
      heldCharacters: characters,
    })
  })

  it.each([(span: Span) => span.addEvent('e'), (span: Span) => span.addLink({ context: span.spanContext() })])(
    'does not count characters that %s adds',
    (add) => {
      const span = lean?.startSpan('a', {}, ROOT_CONTEXT) as Span
      add(span)
      expect(span).toMatchObject({ heldCharacters: Number.POSITIVE_INFINITY })
    },
  )

  const { proxy: revoked, revoke } = Proxy.revocable({}, {})
  revoke()
  it.each<[what: string, use: (span: Span) => unknown]>([
    ['an exception without a prototype', (span) => span.recordException(Object.create(null))],
    ['a symbol as an exception', (span) => span.recordException(Symbol('thrown') as never)],
    ['an exception that cannot be read', (span) => span.recordException(revoked as never)],
    ['a code that has no text', (span) => span.recordException({ code: Object.create(null), message: 'no' } as never)],
    ['no status', (span) => span.setStatus(null as never)],
    ['no link', (span) => span.addLink(null as never)],
  ])('does not throw for %s', (_, use) => {
    const span = lean?.startSpan('a', {}, ROOT_CONTEXT) as Span
    use(span)
    span.end()
    expect(read(span)).toMatchObject({ ended: true })
  })

  it('is printed as an SDK span, with nothing of how it is made', () => {
    const [ours, theirs] = [lean, sdk].map((tracer) => {
      const span = tracer?.startSpan('x', { attributes: { a: 1 }, startTime: 1_700_000_000_500 }, ROOT_CONTEXT)
      return Reflect.get(span as Span, inspect.custom).call(span)
    })
    expect(ours).toEqual(theirs)
    expect(Object.keys(ours)).toEqual(Object.keys(theirs))
    expect(inspect({ span: lean?.startSpan('x', {}, ROOT_CONTEXT) })).toMatch(/span: \{\s+name: 'x',/)
  })

  it('keeps the message of an exception whose code cannot be read', () => {
    const span = lean?.startSpan('a', {}, ROOT_CONTEXT) as Span & ReadableSpan
    span.recordException({ code: Object.create(null), message: 'no' } as never)
    expect(span.events).toMatchObject([{ name: 'exception', attributes: { 'exception.message': 'no' } }])
  })

  it('copies the times that it is given', () => {
    const start: HrTime = [1, 2]
    const end: HrTime = [3, 4]
    const span = lean?.startSpan('a', { startTime: start }, ROOT_CONTEXT) as Span & ReadableSpan
    span.end(end)
    start[0] = end[0] = 9
    expect([span.startTime, span.endTime]).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  it('may be wrapped by a processor', () => {
    const span = lean?.startSpan('a', {}, ROOT_CONTEXT) as Span
    new Proxy(span, {}).setAttribute('by', 'proxy')
    Object.create(span).setAttribute('from', 'derived').end()
    expect(read(span)).toMatchObject({ attributes: { by: 'proxy', from: 'derive' } })
  })

  it('is not recorded if the sampler decides so, and propagates its decision', () => {
    const options = { resource, sampler: new AlwaysOffSampler(), ids, limits, processors: [processor] }
    const span = leanTracers(options)(scope)?.startSpan('a', {}, ROOT_CONTEXT)
    expect([span?.isRecording(), span?.spanContext().traceFlags, seen]).toEqual([false, TraceFlags.NONE, []])
  })

  it('is used for the scopes of this project and the AI SDK only', () => {
    const made = ['svc-sdk', '@svc/instrumentation-openai', 'ai', 'gen_ai', 'litellm', 'app'].filter((name) =>
      leanTracers({ resource, sampler, ids, limits, processors: [] })({ name }),
    )
    expect(made).toEqual(['svc-sdk', '@svc/instrumentation-openai', 'ai', 'gen_ai'])
  })
})
