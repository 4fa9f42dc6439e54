import { expect, it } from 'vitest'
import { propagatorOf } from './propagators.ts'

it.each([
  [
    ['tracecontext', 'baggage'],
    ['traceparent', 'tracestate', 'baggage'],
  ],
  [['b3'], ['b3']],
  [['none'], []],
  [['none', 'b3'], []],
])('%j reads the headers %j', (names, fields) => {
  expect(propagatorOf(names, () => {}).fields()).toEqual(fields)
})

it('names what it does not know and goes on with the rest', () => {
  const lines: string[] = []
  expect(propagatorOf(['ottrace', 'baggage'], (line) => lines.push(line)).fields()).toEqual(['baggage'])
  expect(lines).toEqual([expect.stringMatching(/OTEL_PROPAGATORS="ottrace" is ignored: expected tracecontext/)])
})
