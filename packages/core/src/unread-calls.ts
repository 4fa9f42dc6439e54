/** Why a span ends without its result: the result can no longer be read, or the process ends before it arrived. */
export type MissingEnd = 'abandoned' | 'unfinished'

/** A span that ends when the rest of its result is read. */
export interface OpenCall {
  /** Called when that will not be. */
  endWithout(missing: MissingEnd): void
  /** Internal to this module and `open-calls.ts`. */
  handle?: Handle | undefined
}

/**
 * Represents a call in sets and registries. V8 keeps deleted entries of those until the next full garbage collection;
 * without this indirection each would keep its call alive, with the span and its content.
 */
export interface Handle {
  call: OpenCall | undefined
  /** Whether it is in the registry: most calls end without, and asking the registry is dear. */
  isWatched?: boolean
}

// In edge runtimes without it, abandoned calls stay open.
const abandoned =
  typeof FinalizationRegistry === 'function'
    ? new FinalizationRegistry<Handle>(({ call }) => call?.endWithout('abandoned'))
    : undefined

/**
 * Ends the call as unread when `reader` is collected: an object that is referenced only by everything from which the
 * application can still read the result (the promise, the stream, its iterator, the raw response).
 */
export function endWhenCollected(reader: object, call: OpenCall): void {
  const handle = handleOf(call)
  abandoned?.register(reader, handle, handle)
  handle.isWatched = true
}

/** Undoes {@link endWhenCollected}. */
export function stopWatching(handle: Handle): void {
  if (handle.isWatched) abandoned?.unregister(handle)
  handle.isWatched = false
}

/** Separates a call from its handle, which sets and registries may keep: nothing ends it any more. */
export function release(handle: Handle): void {
  stopWatching(handle)
  if (handle.call) handle.call.handle = undefined
  handle.call = undefined
}

export function handleOf(call: OpenCall): Handle {
  call.handle ??= { call, isWatched: false }
  return call.handle
}
