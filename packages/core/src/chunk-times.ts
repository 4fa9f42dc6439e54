import * as SLOTS from '@svc/core/slots'

/** By the context of its span, which all copies and views of a span share. */
type ChunkTimes = WeakMap<object, number[]>

const SLOT = Symbol.for(SLOTS.CHUNK_TIMES)
const slots = globalThis as unknown as Record<symbol, ChunkTimes | undefined>

/** Most chunks of a call whose times are kept. */
const CAPACITY = 10_000

/** From now on the times of chunks are kept, for metrics. */
export function keepChunkTimes(): void {
  slots[SLOT] ??= new WeakMap()
}

/**
 * Keeps when a chunk of a call arrived, if that is asked for.
 *
 * @param call the context of its span
 * @param seconds since the chunk before it, and for the first one since the call began
 */
export function keepChunkTime(call: object | undefined, seconds: number): void {
  const times = slots[SLOT]
  if (!times || !call) return
  const known = times.get(call)
  if (!known) times.set(call, [seconds])
  else if (known.length < CAPACITY) known.push(seconds)
}

/** Returns the times of the chunks of a call. */
export function chunkTimesOf(call: object): readonly number[] | undefined {
  return slots[SLOT]?.get(call)
}
