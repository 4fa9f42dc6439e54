import { expect, it } from 'vitest'
import { span } from '../../test/support/span.ts'
import { observationOf } from './map/observation.ts'
import { renderTrace } from './render.ts'
import { traceOf } from './trace.ts'

const numbered = (at: number) => (at + 1).toString(16).padStart(16, '0')

it('a chain of 20,000 spans is assembled, and printed up to 100 levels', () => {
  const chain = Array.from({ length: 20_000 }, (_, at) => ({
    spanId: numbered(at),
    parentSpanId: at > 0 ? numbered(at - 1) : null,
  }))
  const stored = chain.map((some) => observationOf(span(some), {}, 0))
  const assembled = traceOf('4bf92f3577b34da6a3ce929d0e0e4736', stored.reverse())
  expect(assembled.observations.map(({ id }) => id)).toEqual(chain.map(({ spanId }) => spanId))
  const lines = renderTrace(assembled).split('\n')
  expect(lines).toHaveLength(20_001)
  expect(Math.max(...lines.map((line) => line.search('SPAN')))).toBe(303)
})
