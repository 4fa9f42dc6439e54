import { attempt } from '@svc/core/attempt'
import type { Listener } from '../calls/call.ts'
import { type Fields, fieldsOf, isObject } from '../calls/read.ts'
import type { Follower } from './follower.ts'
import { observe } from './observe.ts'
import { isMethod, type Method, shadow } from './shadow.ts'

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
  const listener = follower.operation.listen()
  follower.call.listen(listener)
  let taken = false
  stream.iterator = function (...args) {
    const iterator = open.apply(this, args)
    // A second reader gets an error from the library, and that error is not the call's.
    if (!taken && isObject(iterator)) followIterator(iterator, new Ending(stream, listener, follower))
    taken = true
    return iterator
  }
}

/** What the end of reading means, and the hold on the follower for as long as the iterator lives. */
class Ending {
  readonly follower: Follower
  readonly #stream: Stream
  readonly #listener: Listener

  constructor(stream: Stream, listener: Listener, follower: Follower) {
    this.follower = follower
    this.#stream = stream
    this.#listener = listener
  }

  /** The stream ended: with its last item, or because it was aborted, which is no error to the library. */
  reached(): void {
    this.follower.call.end(this.#listener.complete || !this.#aborted ? undefined : 'cancelled')
  }

  /** The application left its loop. Many do when they have what they need: all of it, possibly. */
  left(): void {
    const early = this.#aborted ? 'cancelled' : 'stopped early'
    this.follower.call.end(this.#listener.complete ? undefined : early)
  }

  get #aborted(): boolean {
    return fieldsOf(fieldsOf(this.#stream.controller).signal).aborted === true
  }
}

/** The iterator stays the library's own: only what is called on it is seen. */
function followIterator(iterator: Fields, ending: Ending): void {
  const { next, return: leave } = iterator
  if (!isMethod(next)) return
  const { follower } = ending
  const value = (result: unknown) => {
    const { done, value: chunk } = fieldsOf(result)
    if (done) ending.reached()
    else follower.call.hear(chunk)
  }
  shadow(iterator, 'next', (...args) => observe(next.apply(iterator, args), { value, error: follower.error }))
  if (!isMethod(leave)) return
  shadow(iterator, 'return', (...args) => {
    attempt('end a call', () => ending.left())
    return leave.apply(iterator, args)
  })
}
