import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../../test/support/console.ts'
import { spansIn } from '../../test/support/protobuf.ts'
import { exporting } from '../../test/support/tracing.ts'
import { encode } from './encode.ts'

const log = catchLog()
const { tracer } = exporting()
const spanOf = (name: string) => tracer('scope').startSpan(name) as unknown as ReadableSpan

describe('encode', () => {
  it('writes an OTLP protobuf request', () => {
    const { body, spans } = encode([spanOf('a'), spanOf('b')])
    expect(spans).toBe(2)
    expect(spansIn(body)).toMatchObject([
      { name: 'a', scope: 'scope' },
      { name: 'b', scope: 'scope' },
    ])
  })

  it('a value that never ends is replaced, and its span keeps the rest', () => {
    const span = spanOf('circular')
    const circular: Record<string, unknown> = {}
    circular.self = circular
    Object.assign(span.attributes, { circular, fine: 1 })
    const { body, spans } = encode([spanOf('a'), span])
    expect(spans).toBe(2)
    expect(spansIn(body)[1]?.attributes).toMatchObject({ circular: '<failed to serialize>', fine: 1 })
    expect(log.lines('The attribute circular of a span of "scope" cannot be written down.')).toHaveLength(1)
  })

  it('names that are no texts and links to nothing do not cost the span', () => {
    const odd = [undefined, 42, Symbol('x')].map((name) => spanOf(name as unknown as string))
    const linked = tracer('scope').startSpan('linked', { links: [{}, { context: { traceId: undefined } }] as never })
    linked.addEvent(undefined as never)
    const { body, spans } = encode([...odd, linked as unknown as ReadableSpan])
    expect(spans).toBe(4)
    expect(spansIn(body).map(({ name }) => name)).toEqual(['', '42', 'Symbol(x)', 'linked'])
  })

  it('a span that cannot be written at all is left out', () => {
    const broken = {
      ...spanOf('broken'),
      spanContext: () => {
        throw new Error('no')
      },
    }
    const { body, spans } = encode([broken as ReadableSpan, spanOf('a')])
    expect(spans).toBe(1)
    expect(spansIn(body)).toMatchObject([{ name: 'a' }])
  })

  it('spans too long for one message are lost, not taken for sent', () => {
    const text = 'x'.repeat(30 * 1_048_576)
    const spans = Array.from({ length: 9 }, (_, at) => {
      const span = spanOf(String(at))
      Object.assign(span.attributes, { text })
      return span
    })
    expect(encode(spans)).toEqual({ body: new Uint8Array(), spans: 0 })
  })
})
