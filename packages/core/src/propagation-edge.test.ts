import { type Baggage, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { propagation as edge } from './propagation-edge.ts'

const ENTRIES = { a: { value: '1' }, b: { value: '2' }, c: { value: '3' } }

it.each<[what: string, change: (baggage: Baggage) => Baggage]>([
  ['as it is made', (baggage) => baggage],
  ['with a new entry', (baggage) => baggage.setEntry('d', { value: '4' })],
  ['with another value', (baggage) => baggage.setEntry('a', { value: '5' })],
  ['without an entry', (baggage) => baggage.removeEntry('b')],
  ['without entries', (baggage) => baggage.removeEntries('a', 'c', 'other')],
  ['emptied', (baggage) => baggage.clear()],
])('baggage of an edge runtime has the entries that OpenTelemetry has: %s', (_, change) => {
  const [ours, theirs] = [edge.createBaggage(ENTRIES), propagation.createBaggage(ENTRIES)]
  expect(change(ours).getAllEntries()).toEqual(change(theirs).getAllEntries())
  for (const key of ['a', 'b', 'd', 'toString']) {
    expect(change(ours).getEntry(key)).toEqual(change(theirs).getEntry(key))
  }
  expect(ours.getAllEntries()).toEqual(theirs.getAllEntries())
})

it('baggage of an edge runtime cannot be changed through one of its entries', () => {
  const baggage = edge.createBaggage({ a: { value: '1' } })
  Object.assign(baggage.getEntry('a') ?? {}, { value: '2' })
  expect(baggage.getEntry('a')).toEqual({ value: '1' })
})

it('an application sees the baggage of an edge runtime, and the other way round', () => {
  const baggage = edge.createBaggage()
  expect(propagation.getBaggage(edge.setBaggage(ROOT_CONTEXT, baggage))).toBe(baggage)
  expect(edge.getBaggage(propagation.setBaggage(ROOT_CONTEXT, baggage))).toBe(baggage)
  expect(edge.getBaggage(ROOT_CONTEXT)).toBeUndefined()
})
