import { expect, it } from 'vitest'
import { knownPropagators } from './propagator-names.ts'

it.each([
  [
    ['tracecontext', 'baggage'],
    ['tracecontext', 'baggage'],
  ],
  [['none'], []],
  [['none', 'b3'], []],
])('OTEL_PROPAGATORS=%j selects %j', (names, known) => {
  expect(knownPropagators(names, () => {})).toEqual(known)
})

it('OTEL_PROPAGATORS reports unknown names and uses the others', () => {
  const lines: string[] = []
  expect(knownPropagators(['ottrace', 'baggage'], (line) => lines.push(line))).toEqual(['baggage'])
  expect(lines).toEqual(['OTEL_PROPAGATORS="ottrace" is ignored: expected tracecontext, baggage, b3, b3multi or none.'])
})
