import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { plainSpan } from '../../test/support/batches.ts'
import { catchLog } from '../../test/support/console.ts'
import { spansIn } from '../../test/support/protobuf.ts'
import { exporting } from '../../test/support/tracing.ts'
import { encodeSpan } from './encode-span.ts'
import { OpenBatch } from './open-batch.ts'
import { fieldsOf } from './otlp/reader.ts'

const log = catchLog()
const { tracer } = exporting()
const spanOf = (name: string) => tracer('scope').startSpan(name) as unknown as ReadableSpan

/** The spans that can be encoded, as they arrive. */
function sent(...spans: readonly ReadableSpan[]) {
  const batch = new OpenBatch()
  for (const span of spans) {
    const bytes = encodeSpan(span)
    if (bytes) batch.append(span.resource, span.instrumentationScope, bytes)
  }
  return spansIn(batch.seal())
}

describe('an encoded span', () => {
  it('is a field of an OTLP protobuf request', () => {
    expect(sent(spanOf('a'), spanOf('b'))).toMatchObject([
      { name: 'a', scope: 'scope' },
      { name: 'b', scope: 'scope' },
    ])
  })

  it('has ids, parent and attributes of all types', () => {
    const span = plainSpan('s', {
      parentSpanContext: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: '00f067aa0ba902b7', traceFlags: 1 },
      attributes: { text: 'ä', yes: true, whole: -3, part: 0.5, list: ['a', 'b'] },
    })
    expect(sent(span)).toEqual([
      {
        traceId: '0af7651916cd43dd8448eb211c80319c',
        spanId: 'b7ad6b7169203331',
        parentSpanId: '00f067aa0ba902b7',
        name: 's',
        scope: 'scope',
        attributes: { text: 'ä', yes: true, whole: -3, part: 0.5, list: ['a', 'b'] },
        resource: {},
      },
    ])
  })

  it.each<[what: string, key: string]>([
    ['empty', ''],
    ['short', 'a'],
    ['of other alphabets', 'größe.ключ.鍵'],
    ['longer than those that are cached', 'k'.repeat(101)],
    ['longer than one byte counts', 'ж'.repeat(20_000)],
  ])('has values of all kinds under a key that is %s', (_, key) => {
    const values = ['x', 'x'.repeat(300), 7, 2 ** 40, true, ['a'], '', 'ü'.repeat(60)]
    const spans = sent(...values.map((value) => plainSpan('s', { attributes: { [key]: value, after: value } })))
    expect(spans.map(({ attributes }) => attributes)).toEqual(values.map((value) => ({ [key]: value, after: value })))
  })

  it('has its own text under a key that has had others, whether their bytes are kept or not', () => {
    const texts = ['a', 'b', '', 'ü', 'e', 'f', 'x'.repeat(64), 'x'.repeat(65)]
    const spans = [...texts, ...texts].map((text) => plainSpan('s', { attributes: { 'often set': text, after: 1 } }))
    expect(sent(...spans).map(({ attributes }) => attributes['often set'])).toEqual([...texts, ...texts])
  })

  it('keeps nothing of the longer text that a short one was cut from', () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const megabytes = () => {
      collect()
      return process.memoryUsage().heapUsed / 2 ** 20
    }
    const before = megabytes()
    for (let at = 0; at < 40; at++) {
      const cut = `${at} `.repeat(2 ** 19).slice(0, 40)
      sent(plainSpan('s', { attributes: { [`cut ${at}`]: cut } }))
    }
    expect(megabytes() - before).toBeLessThan(10)
  })

  it('has all attributes with more keys than are cached', () => {
    const attributes = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`key${at}`, at]))
    expect(sent(plainSpan('s', { attributes }), plainSpan('t', { attributes })).map((span) => span.attributes)).toEqual(
      [attributes, attributes],
    )
  })

  it.each([
    [{ code: 0 }, [0, '']],
    [{ code: 1 }, [1, '']],
    [{ code: 2, message: 'no' }, [2, 'no']],
    [{ code: 0, message: 'odd' }, [0, 'odd']],
  ] as const)('has the status %j', (status, expected) => {
    const [span] = [...fieldsOf(encodeSpan(plainSpan('s', { status })) ?? Uint8Array.of())]
    const message = [...fieldsOf(span?.content ?? Uint8Array.of())].find(({ number }) => number === 15)
    const fields = [...fieldsOf(message?.content ?? Uint8Array.of())]
    const text = fields.find(({ number }) => number === 2)?.content
    expect([fields.find(({ number }) => number === 3)?.value, new TextDecoder().decode(text)]).toEqual(expected)
  })

  it('has a placeholder for an endless value, and keeps the other attributes', () => {
    const span = spanOf('circular')
    const circular: Record<string, unknown> = {}
    circular.self = circular
    Object.assign(span.attributes, { circular, fine: 1 })
    const spans = sent(spanOf('a'), span)
    expect(spans).toHaveLength(2)
    expect(spans[1]?.attributes).toMatchObject({ circular: '<failed to serialize>', fine: 1 })
    expect(log.lines('The attribute circular of a span of "scope" cannot be encoded.')).toHaveLength(1)
  })

  it('has a placeholder for an attribute that throws, and keeps the others', () => {
    const attributes = {
      fine: 1,
      get broken(): never {
        throw new Error('no')
      },
    }
    expect(sent(plainSpan('s', { attributes }))[0]?.attributes).toEqual({ fine: 1, broken: '<failed to serialize>' })
    expect(log.lines('The attribute broken of a span of "scope" cannot be encoded.')).toHaveLength(1)
  })

  it('is not lost by names that are not strings and empty links', () => {
    const odd = [undefined, 42, Symbol('x')].map((name) => spanOf(name as unknown as string))
    const linked = tracer('scope').startSpan('linked', { links: [{}, { context: { traceId: undefined } }] as never })
    linked.addEvent(undefined as never)
    const spans = sent(...odd, linked as unknown as ReadableSpan)
    expect(spans.map(({ name }) => name)).toEqual(['', '42', 'Symbol(x)', 'linked'])
  })
})

describe('a span that cannot be encoded', () => {
  it('is undefined, and does not affect the next one', () => {
    const broken = {
      ...spanOf('broken'),
      spanContext: () => {
        throw new Error('no')
      },
    }
    expect(encodeSpan(broken as ReadableSpan)).toBeUndefined()
    expect(sent(broken as ReadableSpan, spanOf('a'))).toMatchObject([{ name: 'a' }])
  })

  it.each(['attributes', 'events', 'status', 'startTime'] as const)('is undefined if its %s throw', (member) => {
    const broken = Object.defineProperty(plainSpan('broken'), member, {
      get: () => {
        throw new Error('no')
      },
    })
    expect(encodeSpan(broken)).toBeUndefined()
  })
})
