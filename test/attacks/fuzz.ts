import fc from 'fast-check'

/** The runs are the same each time. fast-check prints the seed and the smallest input of a run that fails. */
export const fuzz = (numRuns: number): fc.Parameters<unknown> => ({ seed: 36, numRuns })

/** A change of bytes, at places that are parts of their length. */
export type Mutation = typeof mutation extends fc.Arbitrary<infer Each> ? Each : never

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

/** One that leaves all other bytes where they are. */
const inPlace = fc.oneof(
  fc.record({ do: fc.constant('flip' as const), at: place, bit: fc.integer({ min: 0, max: 7 }) }),
  fc.record({ do: fc.constant('overwrite' as const), at: place, bytes: fc.uint8Array({ maxLength: 64 }) }),
  fc.record({ do: fc.constant('zeros' as const), at: place, to: place }),
  fc.record({ do: fc.constant('truncate' as const), at: place }),
)

const moving = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), at: place, bytes: fc.uint8Array({ maxLength: 64 }) }),
  fc.record({ do: fc.constant('remove' as const), at: place, to: place }),
  fc.record({ do: fc.constant('copy' as const), at: place, from: place, to: place }),
)

export const damage: fc.Arbitrary<readonly Mutation[]> = fc.array(inPlace, { minLength: 1, maxLength: 4 })

const mutation = fc.oneof(inPlace, moving)

export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(mutation, { minLength: 1, maxLength: 6 })

export function mutated(bytes: Uint8Array, changes: readonly Mutation[]): Buffer<ArrayBuffer> {
  return changes.reduce((before, change) => applied(before, change), Buffer.from(bytes))
}

function applied(bytes: Buffer<ArrayBuffer>, change: Mutation): Buffer<ArrayBuffer> {
  const index = (part: number) => Math.floor(part * bytes.length)
  const at = index(change.at)
  const range = (one: number, other: number) => [Math.min(one, other), Math.max(one, other)] as const
  switch (change.do) {
    case 'flip':
      bytes[at] = (bytes[at] ?? 0) ^ (1 << change.bit)
      return bytes
    case 'overwrite':
      bytes.set(change.bytes.subarray(0, bytes.length - at), at)
      return bytes
    case 'zeros':
      return bytes.fill(0, ...range(at, index(change.to)))
    case 'truncate':
      return bytes.subarray(0, at)
    case 'insert':
      return Buffer.concat([bytes.subarray(0, at), change.bytes, bytes.subarray(at)])
    case 'remove': {
      const [from, to] = range(at, index(change.to))
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
    }
    case 'copy': {
      const copy = bytes.subarray(...range(index(change.from), index(change.to)))
      return Buffer.concat([bytes.subarray(0, at), copy, bytes.subarray(at)])
    }
  }
}
