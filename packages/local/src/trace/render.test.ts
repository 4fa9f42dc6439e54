import { expect, it } from 'vitest'
import { span } from '../../test/support/span.ts'
import { observationOf } from './map/observation.ts'
import { renderTrace } from './render.ts'
import { traceOf } from './trace.ts'

type SpanFields = Parameters<typeof span>[0]

const draw = (...spans: SpanFields[]) =>
  renderTrace(
    traceOf(
      '4bf92f3577b34da6a3ce929d0e0e4736',
      spans.map((some) => observationOf(span(some), {}, 0)),
    ),
  )

const id = (digit: string) => digit.repeat(16)
const ms = (start: number, end: number) => ({
  startTimeUnixNano: `${1_700_000_000_000 + start}000000`,
  endTimeUnixNano: `${1_700_000_000_000 + end}000000`,
})

it('a trace is printed as a tree with names, types, models, tokens, latency and levels', () => {
  const drawn = draw(
    {
      spanId: id('a'),
      name: 'POST /chat',
      ...ms(0, 1_500),
      attributes: { 'user.id': 'ada', 'session.id': 's1', 'svc.trace.tags': ['a', 'b'], 'svc.environment': 'prod' },
    },
    {
      spanId: id('b'),
      parentSpanId: id('a'),
      name: 'chat gpt-5',
      ...ms(10, 1_010),
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-5',
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.cache_read.input_tokens': 4,
        'gen_ai.usage.output_tokens': 34,
      },
    },
    { spanId: id('c'), parentSpanId: id('b'), name: 'inner', ...ms(20, 21) },
    {
      spanId: id('d'),
      parentSpanId: id('a'),
      name: 'tool',
      ...ms(1_100, 1_105),
      status: { code: 2, message: '' },
      attributes: { 'svc.observation.type': 'tool' },
    },
    { spanId: id('e'), parentSpanId: id('f'), name: 'parent not arrived', ...ms(1_200, 1_201) },
  )
  expect(drawn).toBe(
    [
      'POST /chat  4bf92f3577b34da6a3ce929d0e0e4736  user ada  session s1  tags a, b  prod',
      '├─ SPAN POST /chat  1.50 s',
      '│  ├─ GENERATION chat gpt-5  gpt-5  12 → 34 tokens  1.00 s',
      '│  │  └─ SPAN inner  1 ms',
      '│  └─ TOOL tool  5 ms  ERROR',
      '└─ SPAN parent not arrived  1 ms',
    ].join('\n'),
  )
})

it('a trace without its root is marked as incomplete', () => {
  expect(draw({ parentSpanId: id('f') })).toMatch(/^\(root not arrived\)/)
})

it('control characters in names are not printed', () => {
  expect(draw({ name: 'red \u001b[31m\nnext line\u202e' })).toMatch(/─ SPAN red \[31m next line {2}/)
})

it('a cycle of parents is broken and printed once', () => {
  const drawn = draw({ spanId: id('a'), parentSpanId: id('b') }, { spanId: id('b'), parentSpanId: id('a') })
  expect(drawn.split('\n')).toHaveLength(3)
})
