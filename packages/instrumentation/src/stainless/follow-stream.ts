import { fieldsOf, isObject } from '../calls/read.ts'
import { followIterator, Reading } from '../calls/reading.ts'
import { isMethod, type Method } from '../calls/shadow.ts'
import type { Follower } from './follower.ts'

/** A stream of these libraries: reading it, `tee()` and `toReadableStream()` all begin with `iterator`. */
interface Stream {
  iterator: Method
  readonly controller?: unknown
}

export function isStream(value: unknown): value is Stream {
  return isObject(value) && isMethod(value.iterator) && Symbol.asyncIterator in value
}

/** Hears what the application reads from a stream, and notices however it stops. */
export function followStream(stream: Stream, follower: Follower): void {
  const { iterator: open } = stream
  const signals = () => ({ stream: fieldsOf(stream.controller).signal })
  const reading = new Reading(follower.call, follower.operation.listen(), signals, follower)
  let taken = false
  stream.iterator = function (...args) {
    const iterator = open.apply(this, args)
    // A second reader gets an error from the library, and that error is not the call's.
    if (!taken && isObject(iterator)) followIterator(iterator, reading)
    taken = true
    return iterator
  }
}
