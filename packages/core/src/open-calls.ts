import * as SLOTS from './slots.ts'
import { type Handle, handleOf, type MissingEnd, type OpenCall, release, stopWatching } from './unread-calls.ts'

export { ENDED_EARLY } from './ended-early.ts'
export { endWhenCollected, type MissingEnd, type OpenCall } from './unread-calls.ts'

const LIMIT = 10_000

// On globalThis, because the calls of all copies of this module have to end when the process ends.
const SLOT = Symbol.for(SLOTS.OPEN_CALLS)
const slots = globalThis as unknown as Record<symbol, Set<Handle> | undefined>

function openCalls(): Set<Handle> {
  slots[SLOT] ??= new Set()
  return slots[SLOT]
}

/** Tracks a call until {@link untrack}. Beyond 10,000 open calls, further ones are not tracked. */
export function track(call: OpenCall): void {
  const open = openCalls()
  if (open.size >= LIMIT)
    for (const each of open) if (each.call instanceof WeakCall && each.call.isGone) open.delete(each)
  if (open.size < LIMIT) open.add(handleOf(call))
}

/**
 * Tracks a call without keeping it alive: a promise that can never settle may be collected.
 *
 * @returns an object that the call has to keep, and pass to {@link untrack}; undefined in runtimes without weak
 * references
 */
export function trackWeakly(call: OpenCall): OpenCall | undefined {
  if (typeof WeakRef !== 'function') return undefined
  const tether = new Tether(call)
  track(tether.weak)
  return tether
}

/**
 * Separates a weak reference from the call. The target of a weak reference lives until the current task of the event
 * loop ends, and work without I/O may make many calls before: an untracked one is cut off and can be collected.
 */
class Tether implements OpenCall {
  #call: OpenCall | undefined
  readonly weak = new WeakCall(this)

  constructor(call: OpenCall) {
    this.#call = call
  }

  endWithout(missing: MissingEnd): void {
    this.#call?.endWithout(missing)
  }

  cut(): void {
    this.#call = undefined
  }
}

class WeakCall implements OpenCall {
  readonly #tether: WeakRef<Tether>

  constructor(tether: Tether) {
    this.#tether = new WeakRef(tether)
  }

  get isGone(): boolean {
    return this.#tether.deref() === undefined
  }

  endWithout(missing: MissingEnd): void {
    this.#tether.deref()?.endWithout(missing)
  }
}

export function untrack(call: OpenCall): void {
  if (call instanceof Tether) {
    untrack(call.weak)
    call.cut()
  }
  const { handle } = call
  if (!handle) return
  openCalls().delete(handle)
  release(handle)
}

/** Ends the spans of all open calls, with the data that has arrived so far. For the last flush of a process. */
export function endOpenCalls(): void {
  for (const { call } of [...openCalls()]) call?.endWithout('unfinished')
}

/** Undoes {@link endWhenCollected}: the result will arrive without the reader. */
export function cancelEndWhenCollected({ handle }: OpenCall): void {
  if (!handle) return
  if (openCalls().has(handle)) stopWatching(handle)
  else release(handle)
}
