import type { Baggage, BaggageEntry } from '@opentelemetry/api'
import { createContextKey } from '@svc/core/api'
import type * as node from './propagation.ts'

// Replaces propagation.ts in bundles for edge runtimes: what is used of `propagation` of OpenTelemetry's API, all of which
// would be in each. Baggage is the same to every copy of the API.

const BAGGAGE = createContextKey('OpenTelemetry Baggage Key')

export const propagation: Pick<typeof node.propagation, 'getBaggage' | 'setBaggage' | 'createBaggage'> = {
  getBaggage: (context) => context.getValue(BAGGAGE) as Baggage | undefined,
  setBaggage: (context, baggage) => context.setValue(BAGGAGE, baggage),
  createBaggage: (entries) => baggageOf(Object.entries(entries ?? {})),
}

function baggageOf(pairs: Iterable<readonly [string, BaggageEntry]>): Baggage {
  const entries = new Map(pairs)
  const without = (...keys: string[]) => baggageOf([...entries].filter(([key]) => !keys.includes(key)))
  return {
    getEntry(key) {
      const entry = entries.get(key)
      return entry && { ...entry }
    },
    getAllEntries: () => [...entries],
    setEntry: (key, entry) => baggageOf([...entries, [key, entry]]),
    removeEntry: (key) => without(key),
    removeEntries: without,
    clear: () => baggageOf([]),
  }
}
