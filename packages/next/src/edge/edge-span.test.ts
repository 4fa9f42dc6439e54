import { type Span, SpanKind, type SpanOptions, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { ReadableSpan, Resource } from '@svc/otel/edge'
import { expect, it, vi } from 'vitest'
import { spanJson } from '../../../otel/src/export/json/otlp-json.ts'
import type { EdgeSpan } from './edge-span.ts'
import { EdgeTracerProvider } from './edge-tracer.ts'

/** The span that each of the two makes of the same calls: OpenTelemetry's SDK, and this package. */
function both(options: SpanOptions, use: (span: Span) => void) {
  const exporter = new InMemorySpanExporter()
  const sdk = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const ended: EdgeSpan[] = []
  const edge = new EdgeTracerProvider({
    resource: { attributes: {} } as Resource,
    isMuted: () => false,
    onStart() {},
    onEnd: (span) => void ended.push(span),
  })
  const run = (tracer: Tracer) => {
    const span = tracer.startSpan('work', options)
    use(span)
    span.end()
  }
  run(sdk.getTracer('scope', '1.0.0'))
  run(edge.getTracer('scope', '1.0.0'))
  const [sdkSpan] = exporter.getFinishedSpans()
  const [edgeSpan] = ended
  if (!sdkSpan || !edgeSpan) throw new Error('a span did not end')
  return [contents(sdkSpan), contents(edgeSpan)] as const
}

function contents(span: ReadableSpan) {
  const { name, kind, status, attributes, links, ended } = span
  return {
    name,
    kind,
    status,
    attributes,
    ended,
    links: links.map(({ context, attributes: more }) => [context, more ?? {}]),
    events: span.events.map((event) => [event.name, event.attributes ?? {}]),
    dropped: [span.droppedAttributesCount, span.droppedEventsCount, span.droppedLinksCount],
    scope: [span.instrumentationScope.name, span.instrumentationScope.version],
    takesTime: span.endTime[0] >= span.startTime[0] && span.duration[0] >= 0 && span.duration[1] >= 0,
  }
}

const LINK = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }

const CALLS: readonly (readonly [string, SpanOptions, (span: Span) => void])[] = [
  ['nothing is written', {}, () => {}],
  [
    'attributes of every kind are written',
    { kind: SpanKind.CLIENT, attributes: { at: 'start', list: ['a', null, 'b'] as string[] } },
    (span) => span.setAttributes({ text: '', number: 1.5, yes: true, numbers: [1, 2] }).setAttribute('at', 'end'),
  ],
  [
    'there are more attributes, events and links than a span may have',
    {},
    (span) => {
      for (let at = 0; at < 130; at += 1) {
        span.setAttribute(`key ${at}`, at).addEvent(`event ${at}`).addLink({ context: LINK })
      }
      span.setAttribute('key 0', 'again')
    },
  ],
  ['it fails', {}, (span) => span.setStatus({ code: SpanStatusCode.ERROR, message: 'no' }).updateName('failed')],
  [
    'a status "ok" is final',
    {},
    (span) =>
      span.setStatus({ code: SpanStatusCode.OK, message: 'left out' }).setStatus({ code: SpanStatusCode.ERROR }),
  ],
  ['it is linked', { links: [{ context: LINK }] }, (span) => span.addLink({ context: LINK, attributes: { a: 1 } })],
  ['an event has attributes', {}, (span) => span.addEvent('first', { words: 3 }, 1_000).addEvent('later', 2_000)],
  ['an exception is a text', {}, (span) => span.recordException('broken')],
  [
    'an exception has a code and no stack',
    {},
    (span) => span.recordException({ code: 'E1', message: 'broken', name: 'Error' }),
  ],
  [
    'it is written to after its end',
    {},
    (span) => {
      span.end()
      span.setAttribute('late', 1).addEvent('late').updateName('late').setStatus({ code: SpanStatusCode.ERROR })
      span.recordException('late')
    },
  ],
]

it.each(CALLS)('an edge span has the same fields as an SDK span if %s', (_, options, use) => {
  const [sdk, edge] = both(options, use)
  expect(edge).toEqual(sdk)
})

/** A tracer, and the spans of it that have ended. */
function recordingTracer() {
  const ended: EdgeSpan[] = []
  const provider = new EdgeTracerProvider({
    resource: { attributes: {} } as Resource,
    isMuted: () => false,
    onStart() {},
    onEnd: (span) => void ended.push(span),
  })
  return { tracer: provider.getTracer('scope'), ended }
}

it('an edge span keeps its given times in any form', () => {
  const { tracer, ended } = recordingTracer()
  tracer.startSpan('date', { startTime: new Date(1_700_000_000_250) }).end(1_700_000_001_500)
  tracer.startSpan('pair', { startTime: [1_700_000_000, 5] }).end([1_700_000_000, 1])
  expect(ended.map(({ startTime, endTime, duration }) => [startTime, endTime, duration])).toEqual([
    [
      [1_700_000_000, 250_000_000],
      [1_700_000_001, 500_000_000],
      [1, 250_000_000],
    ],
    // It cannot have ended before it started.
    [
      [1_700_000_000, 5],
      [1_700_000_000, 5],
      [0, 0],
    ],
  ])
})

const unreadable = {
  get message(): string {
    throw new Error('cannot be read')
  },
}

const trap = () => {
  throw new Error('cannot be read')
}
const unreadableList = new Proxy([1], { get: trap }) as unknown

const MISUSES: readonly (readonly [string, (span: Span) => unknown])[] = [
  ['attributes are null', (span) => span.setAttributes(null as never)],
  ['attributes are undefined', (span) => span.setAttributes(undefined as never)],
  ['attributes cannot be read', (span) => span.setAttributes(unreadable as never)],
  ['a list cannot be read', (span) => span.setAttribute('list', unreadableList as never)],
  ['the status cannot be read', (span) => span.setStatus(Object.defineProperty({}, 'code', { get: trap }) as never)],
  ['a time cannot be read', (span) => span.addEvent('work', {}, unreadableList as never)],
  ['a time is a symbol', (span) => span.addEvent('work', {}, Symbol('now') as never)],
  ['the attributes of an event cannot be read', (span) => span.addEvent('work', unreadable as never)],
  ['an exception cannot be read', (span) => span.recordException(unreadable)],
  ['an exception is null', (span) => span.recordException(null as never)],
  ['the status is null', (span) => span.setStatus(null as never)],
  ['a link is null', (span) => span.addLink(null as never)],
  ['links are undefined', (span) => span.addLinks(undefined as never)],
  ['links are no list', (span) => span.addLinks({} as never)],
]

it.each(MISUSES)('an edge span does not throw, and is recorded, if %s', (_, misuse) => {
  const { tracer, ended } = recordingTracer()
  const span = tracer.startSpan('work', null as never)
  misuse(span)
  span.setAttribute('after', 1).end()
  const [recorded] = ended
  expect(recorded).toMatchObject({ attributes: { after: 1 }, links: [], status: { code: 0 }, ended: true })
})

it('an edge span keeps an exception whose code cannot be written', () => {
  const { tracer, ended } = recordingTracer()
  const span = tracer.startSpan('work')
  span.recordException({ code: Object.create(null), name: 'Failed', message: 'no' })
  span.end()
  expect(ended[0]?.events[0]?.attributes).toEqual({ 'exception.type': 'Failed', 'exception.message': 'no' })
})

it.each([
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1e15,
  1e300,
  new Date('x'),
  'yesterday',
  [Number.NaN, 0],
  [1],
  [1.5, 0],
  {},
])('an edge span takes the current time in place of %j, with one warning for each time', (nonsense) => {
  const lines: unknown[] = []
  vi.spyOn(console, 'warn').mockImplementation((line) => void lines.push(line))
  const { tracer, ended } = recordingTracer()
  const before = Math.floor(Date.now() / 1_000)
  const span = tracer.startSpan('work', { startTime: nonsense as never })
  span.addEvent('event', {}, nonsense as never).end(nonsense as never)
  const { startTime, endTime, events } = ended[0] as EdgeSpan
  for (const [seconds] of [startTime, endTime, events[0]?.time ?? []]) expect((seconds ?? 0) - before).toBeLessThan(60)
  for (const [seconds] of [startTime, endTime, events[0]?.time ?? []])
    expect(seconds ?? 0).toBeGreaterThanOrEqual(before)
  expect(() => spanJson(ended[0] as EdgeSpan)).not.toThrow()
  for (const line of lines) expect(line).toMatch(/(startTime|time|endTime) of an observation is ignored: expected/)
  vi.restoreAllMocks()
})
