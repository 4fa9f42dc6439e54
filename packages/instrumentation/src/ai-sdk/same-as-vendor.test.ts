import { OpenTelemetry } from '@ai-sdk/otel'
import { context, metrics, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { environmentOf } from '@svc/core/environment'
import { genAiConventions, SvcSpanProcessor } from '@svc/otel'
import type { Telemetry } from 'ai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SDK_CASES } from '../../test/ai-sdk-cases.ts'
import { EVENTS, type EventSequence } from '../../test/ai-sdk-events.ts'
import { enrichSpan } from './enrich.ts'
import { SvcVercelAiSdkIntegration } from './svc-integration.ts'

/** Attributes that we add to those of `@ai-sdk/otel`, by the names of the spans that may have them. */
const ADDED: readonly (readonly [attribute: string, spans: RegExp])[] = [
  ['gen_ai.usage.cache_creation.input_tokens', /^chat /],
  ['gen_ai.usage.reasoning.output_tokens', /^chat /],
  ['gen_ai.request.seed', /^chat /],
  ['svc.observation.cost_details', /^(chat|embeddings) /],
  ['svc.observation.metadata.citations', /^chat /],
  ['svc.observation.input', /^embeddings /],
  ['svc.observation.output', /^invoke_agent /],
  ['error.type', /./],
]

/** A call that the application cancels is a warning here; there it is an error, or nothing. */
const GIVEN_UP: Readonly<Record<string, unknown>> = {
  'svc.observation.level': 'WARNING',
  'svc.observation.status_message': 'cancelled by the caller',
  'svc.observation.metadata.outcome': '"cancelled"',
}

interface Recorded {
  readonly spans: readonly Seen[]
  readonly durations: readonly unknown[]
}

interface Seen {
  readonly name: string
  readonly kind: string
  readonly status: unknown
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly unknown[]
  /** The names of the spans it lies in. */
  readonly path: readonly (string | undefined)[]
  readonly times: unknown
}

const durations: unknown[] = []
const record = (value: number, attributes: object) => durations.push({ attributes, value })

beforeAll(() => {
  // The clock stands still, so that what both measure is the same on any machine.
  const [epoch, now] = [Date.now(), performance.now()]
  vi.spyOn(Date, 'now').mockReturnValue(epoch)
  vi.spyOn(performance, 'now').mockReturnValue(now)
  globalThis.AI_SDK_LOG_WARNINGS = false
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const meter = { createHistogram: (name: string, options: object) => ({ record, name, options }) }
  metrics.setGlobalMeterProvider({ getMeter: () => meter } as never)
})
afterAll(() => {
  context.disable()
  metrics.disable()
  vi.restoreAllMocks()
})

const MAKERS: Readonly<Record<'ours' | 'theirs', (tracer: Tracer) => Telemetry>> = {
  ours: (tracer) => new SvcVercelAiSdkIntegration({ tracer }),
  theirs: (tracer) => new OpenTelemetry({ tracer, enrichSpan }),
}

const DESTINATIONS = {
  service: (exporter: InMemorySpanExporter): SpanProcessor =>
    new SvcSpanProcessor({ exporter, env: environmentOf({ SVC_ROOT_IO: 'false' }), shouldExportSpan: () => true }),
  other: (exporter: InMemorySpanExporter): SpanProcessor => genAiConventions(new SimpleSpanProcessor({ exporter })),
}
type Destination = keyof typeof DESTINATIONS

/** What a destination receives of what is recorded while `work` goes on, in any order of arrival. */
async function recorded(
  whose: 'ours' | 'theirs',
  destination: Destination,
  work: (integration: Telemetry) => unknown,
): Promise<Recorded> {
  const exporter = new InMemorySpanExporter()
  const processor = DESTINATIONS[destination](exporter)
  const provider = new TracerProvider({ spanProcessors: [processor] })
  durations.length = 0
  await work(MAKERS[whose](provider.getTracer('test')))
  await processor.forceFlush()
  const spans = exporter.getFinishedSpans()
  const all = spans.map((span) => seen(span, spans))
  return { spans: all.toSorted((one, other) => compare(key(one), key(other))), durations: [...durations] }
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))
const key = ({ path, name, attributes }: Seen) => JSON.stringify([path, name, attributes['gen_ai.tool.call.id']])

function seen(span: ReadableSpan, all: readonly ReadableSpan[]): Seen {
  const { name, kind, status, attributes, events, startTime, endTime } = span
  return {
    name,
    kind: SpanKind[kind],
    status: { ...status, code: SpanStatusCode[status.code] },
    attributes: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [SAME[name] ?? name, value])),
    events: events.map((event) => ({ name: event.name, attributes: withoutFrames(event.attributes) })),
    path: pathOf(span, all),
    // Now, or the time in an event.
    times: [startTime, endTime].map(([seconds]) => (seconds < 1_000_000 ? seconds : 'now')),
  }
}

/** The stack of an error that is made anew has other frames. */
function withoutFrames(attributes: ReadableSpan['attributes'] = {}) {
  const stack = attributes['exception.stacktrace']
  return { ...attributes, ...(stack ? { 'exception.stacktrace': String(stack).split('\n')[0] } : {}) }
}

function pathOf({ parentSpanContext }: ReadableSpan, all: readonly ReadableSpan[]): (string | undefined)[] {
  if (!parentSpanContext) return []
  const parent = all.find((span) => span.spanContext().spanId === parentSpanContext.spanId)
  return parent ? [...pathOf(parent, all), parent.name] : [undefined]
}

/** What the service reads as the same. */
const SAME: Readonly<Record<string, string>> = {
  'gen_ai.tool.call.arguments': 'svc.observation.input',
  'gen_ai.tool.call.result': 'svc.observation.output',
}

/** Ours, without our additions. Each addition that occurs is noted. */
function withoutAdditions({ spans, durations }: Recorded, theirs: Recorded): Recorded {
  const bare = spans.map((span, index) => {
    const own = theirs.spans[index]
    const added = Object.keys(span.attributes).filter((name) => !Object.hasOwn(own?.attributes ?? {}, name))
    const allowed = ADDED.filter(([name, names]) => added.includes(name) && names.test(span.name))
    for (const [name] of allowed) met.add(name)
    return { ...span, attributes: without(span.attributes, new Set(allowed.map(([name]) => name))) }
  })
  return { spans: bare, durations }
}

const met = new Set<string>()

function without(attributes: Seen['attributes'], names: ReadonlySet<string>): Seen['attributes'] {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.has(name)))
}

/** Other destinations receive conversations in the conventions' form, which the vendor's is not in every detail. */
const CONTENT = /^gen_ai\.(input\.messages|output\.messages|system_instructions|tool\.definitions)$/

function withoutConversations({ spans, durations }: Recorded): Recorded {
  const bare = spans.map((span) => ({
    ...span,
    attributes: without(span.attributes, new Set(Object.keys(span.attributes).filter((name) => CONTENT.test(name)))),
  }))
  return { spans: bare, durations }
}

async function both(work: (integration: Telemetry) => unknown, destination: Destination = 'service') {
  const theirs = await recorded('theirs', destination, work)
  const ours = await recorded('ours', destination, work)
  return destination === 'service'
    ? { theirs, ours }
    : { theirs: withoutConversations(theirs), ours: withoutConversations(ours) }
}

function emit(integration: Telemetry, events: EventSequence): void {
  const hooks = integration as unknown as Readonly<Record<string, (event: object) => void>>
  for (const [hook, event] of events) hooks[hook]?.call(integration, event)
}

const GIVING_UP = /abort/

// The last test counts what those before it met.
describe('in this order', { shuffle: false }, () => {
  describe.each(['service', 'other'] as const)(
    'the %s destination receives the same spans of the AI SDK 7 as from @ai-sdk/otel',
    (destination) => {
      it.each(Object.keys(SDK_CASES).filter((name) => !GIVING_UP.test(name)))('%s', async (name) => {
        const { theirs, ours } = await both((integrations) => SDK_CASES[name]?.({ integrations }), destination)
        expect(theirs.spans.length).toBeGreaterThan(0)
        expect(withoutAdditions(ours, theirs)).toEqual(theirs)
      })

      it.each(Object.keys(EVENTS).filter((name) => !GIVING_UP.test(name)))('events: %s', async (name) => {
        const { theirs, ours } = await both((integration) => emit(integration, EVENTS[name] ?? []), destination)
        expect(withoutAdditions(ours, theirs)).toEqual(theirs)
      })

      it('every additional attribute is covered by a case', () => {
        expect([...met].sort()).toEqual(ADDED.map(([name]) => name).sort())
      })
    },
  )
})

it('another destination receives conversations in the GenAI conventions', async () => {
  const { spans } = await recorded('ours', 'other', (integrations) => SDK_CASES['an agent']?.({ integrations }))
  const content = spans.flatMap(({ name, attributes }) => {
    const entries = Object.entries(attributes).filter(([key]) => CONTENT.test(key))
    const decoded = entries.map(([key, value]) => [key.slice('gen_ai.'.length), JSON.parse(String(value))])
    return entries.length > 0 ? [[name, Object.fromEntries(decoded)]] : []
  })
  const message = (role: string, part: object, reason?: string) => ({
    role,
    parts: [part],
    ...(reason && { finish_reason: reason }),
  })
  const text = (content: string) => ({ type: 'text', content })
  const call = { type: 'tool_call', id: 'call-1', name: 'weather', arguments: { city: 'Rome' } }
  const result = { type: 'tool_call_response', id: 'call-1', response: 'sunny in Rome' }
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const tools = [{ type: 'function', name: 'weather', description: 'The weather', parameters }]
  const question = [message('system', text('Be brief.')), message('user', text('Hi'))]
  const answer = [message('assistant', text('Sunny'), 'stop')]
  const continued = [...question, message('assistant', call), message('tool', result)]
  expect(content).toEqual([
    [
      'chat model-1',
      {
        'input.messages': question,
        'output.messages': [message('assistant', call, 'tool_call')],
        'tool.definitions': tools,
      },
    ],
    ['chat model-1', { 'input.messages': continued, 'output.messages': answer, 'tool.definitions': tools }],
    ['invoke_agent model-1', { 'input.messages': question, 'output.messages': answer }],
  ])
})

const giving = {
  ...Object.fromEntries(
    Object.entries(SDK_CASES).map(([name, call]) => [name, (integrations: Telemetry) => call({ integrations })]),
  ),
  ...Object.fromEntries(
    Object.entries(EVENTS).map(([name, events]) => [name, (integration: Telemetry) => emit(integration, events)]),
  ),
}

it.each(Object.keys(giving).filter((name) => GIVING_UP.test(name)))(
  'a cancelled call is not an error: %s',
  async (name) => {
    const { theirs, ours } = await both(giving[name] as (integration: Telemetry) => unknown)
    expect(ours.durations).toEqual(theirs.durations)
    const calm = ({ attributes, status: _, events: __, ...rest }: Seen) => ({ ...rest, attributes })
    const expected = theirs.spans.map((span) => ({ ...calm(span), attributes: { ...span.attributes, ...GIVEN_UP } }))
    expect(withoutAdditions(ours, theirs).spans.map(calm)).toEqual(expected)
    expect(ours.spans.map(({ status, events }) => [status, events])).toEqual(
      ours.spans.map(() => [{ code: 'UNSET' }, []]),
    )
  },
)
