import {
  baggageEntryMetadataFromString,
  defaultTextMapGetter,
  defaultTextMapSetter,
  propagation,
  ROOT_CONTEXT,
  trace,
} from '@opentelemetry/api'
import {
  CompositePropagator,
  suppressTracing,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core'
import { describe, expect, it } from 'vitest'
import { w3cPropagator } from './w3c-propagator.ts'

const ours = w3cPropagator

// OpenTelemetry's own are what is expected, for every header here.
const theirs = new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] })

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'
const PARENT = `00-${TRACE}-${SPAN}-01`

type Headers = Readonly<Record<string, string | string[]>>

function read(propagator: typeof theirs | typeof ours, headers: Headers) {
  const context = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
  const { traceState, ...span } = trace.getSpanContext(context) ?? {}
  const entries = propagation.getBaggage(context)?.getAllEntries()
  return {
    span,
    state: traceState?.serialize(),
    baggage: entries?.map(([key, { value, metadata }]) => [key, value, metadata?.toString()]),
  }
}

function written(propagator: typeof theirs | typeof ours, context = ROOT_CONTEXT) {
  const carrier: Record<string, string> = {}
  propagator.inject(context, carrier, defaultTextMapSetter)
  return carrier
}

describe('reading', () => {
  it.each<Headers>([
    {},
    { traceparent: PARENT },
    { traceparent: [PARENT, 'other'] },
    { traceparent: ` ${PARENT} ` },
    { traceparent: `00-${TRACE}-${SPAN}-00` },
    { traceparent: `00-${TRACE}-${SPAN}-ff` },
    { traceparent: `${PARENT}-more` },
    { traceparent: `01-${TRACE}-${SPAN}-01-more` },
    { traceparent: `ff-${TRACE}-${SPAN}-01` },
    { traceparent: `00-${'0'.repeat(32)}-${SPAN}-01` },
    { traceparent: `00-${TRACE}-${'0'.repeat(16)}-01` },
    { traceparent: PARENT.toUpperCase() },
    { traceparent: `x${PARENT}` },
    { traceparent: 'nonsense' },
    { tracestate: 'a=1' },
    { traceparent: PARENT, tracestate: 'a=1, b=2 ,tenant@system=x y' },
    { traceparent: PARENT, tracestate: ['a=1', 'b=2'] },
    { traceparent: PARENT, tracestate: ['', 'a=1'] },
    { traceparent: PARENT, tracestate: Array.from({ length: 40 }, (_, at) => `k${at}=v`).join() },
    { baggage: 'a=1,b=2' },
    { baggage: ['a=1', 'b=2'] },
    { baggage: ' a = 1 ; meta = x ; y ,b=2;,c=%20d%20,%C3%A9=%E2%82%AC' },
    { baggage: 'a,=1,b=,;c=1,d=%E0%A4%A,e=1=2,a=1,a=2' },
    { baggage: 'constructor=1,toString=2' },
    { baggage: Array.from({ length: 200 }, (_, at) => `k${at}=v`).join() },
    { traceparent: PARENT, baggage: 'a=1' },
  ])('takes from %o what OpenTelemetry takes', (headers) => {
    expect(read(ours, headers)).toEqual(read(theirs, headers))
  })

  it.each([
    ['A=1,bC=1,=2,c,d=', 'A=1,bC=1,=2,c,d='],
    [`a=${'x'.repeat(512)} ,, b=1`, `a=${'x'.repeat(512)},b=1`],
    ['a=1,b=€,c=\n3,d=\u0000,e=\x7f,f=6', 'a=1,f=6'],
  ])('passes a trace state on as it came, but for what no header may have: %j', (tracestate, state) => {
    expect(read(ours, { traceparent: PARENT, tracestate }).state).toBe(state)
  })

  it('takes long pairs of baggage, which hosts limit', () => {
    const pairs = Array.from({ length: 100 }, (_, at) => [`k${at}`, 'v'.repeat(100), undefined])
    expect(read(ours, { baggage: pairs.map(([key, value]) => `${key}=${value}`).join() }).baggage).toEqual(pairs)
  })

  it('takes the other headers where one cannot be read', () => {
    const getter = {
      keys: () => [],
      get: (_: unknown, name: string) => {
        if (name === 'traceparent') throw new Error('unreadable')
        return name === 'baggage' ? 'a=1' : undefined
      },
    }
    const context = ours.extract(ROOT_CONTEXT, {}, getter)
    expect(propagation.getBaggage(context)?.getEntry('a')?.value).toBe('1')
  })
})

describe('writing', () => {
  const withSpan = theirs.extract(ROOT_CONTEXT, { traceparent: PARENT, tracestate: 'a=1,b=2' }, defaultTextMapGetter)
  const baggage = (entries: Record<string, { value: string }>) =>
    propagation.setBaggage(withSpan, propagation.createBaggage(entries))
  const metadata = baggageEntryMetadataFromString('meta=x')

  it.each([
    ['nothing', ROOT_CONTEXT],
    ['a span', withSpan],
    ['an invalid span', trace.setSpanContext(ROOT_CONTEXT, { traceId: '0', spanId: '0', traceFlags: 1 })],
    ['suppressed', suppressTracing(baggage({ a: { value: '1' } }))],
    ['baggage', baggage({ 'a b': { value: 'é,=' }, c: { value: '' } })],
    [
      'baggage with metadata',
      propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage({ a: { value: '1', metadata } })),
    ],
    [
      'long baggage',
      baggage({
        ...Object.fromEntries([0, 1, 2, 3].map((at) => [`k${at}`, { value: 'v'.repeat(2_500) }])),
        z: { value: '1' },
      }),
    ],
  ])('writes %s as OpenTelemetry does', (_, context) => {
    expect(written(ours, context)).toEqual(written(theirs, context))
  })

  it('writes no baggage that fetch refuses', () => {
    const context = ours.extract(ROOT_CONTEXT, { baggage: 'a=1;b=\n2,c=3;d=€,e=5;f' }, defaultTextMapGetter)
    expect(written(ours, context)).toEqual({ baggage: 'e=5;f' })
  })

  it('writes the other headers where a value cannot be encoded', () => {
    const headers = written(ours, baggage({ half: { value: '\ud83d' }, whole: { value: '1' } }))
    expect(headers).toEqual({ traceparent: PARENT, tracestate: 'a=1,b=2', baggage: 'whole=1' })
  })

  it('names its headers', () => {
    expect(ours.fields()).toEqual(theirs.fields())
  })
})

it('changes a trace state as OpenTelemetry does', () => {
  const states = [ours, theirs].map((propagator) => {
    const headers = { traceparent: PARENT, tracestate: 'a=1,b=2' }
    const context = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
    const state = trace.getSpanContext(context)?.traceState
    return [
      state?.get('b'),
      state?.get('none'),
      state?.set('c', '3').serialize(),
      state?.set('b', '3').serialize(),
      state?.unset('a').serialize(),
      state?.unset('none').serialize(),
    ]
  })
  expect(states[0]).toEqual(states[1])
  expect(states[0]).toContain('b=3,a=1')
})
