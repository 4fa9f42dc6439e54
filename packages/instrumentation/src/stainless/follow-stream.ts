import { asRecord, type Fields, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { IteratorObserver, observeFirstIterator } from '../patch/iterator-observer.ts'
import type { CallFollower } from './follower.ts'

/** A stream of a Stainless client. Reading it, `tee()` and `toReadableStream()` all start with `iterator`. */
interface StainlessStream extends Fields {
  iterator: Method
  readonly controller?: unknown
}

export function isStream(value: unknown): value is StainlessStream {
  return isObject(value) && isMethod(value.iterator) && Symbol.asyncIterator in value
}

/** Observes the chunks that the application reads from a stream, and how reading stops. */
export function followStream(stream: StainlessStream, follower: CallFollower): void {
  const signals = () => ({ stream: asRecord(stream.controller).signal })
  const observer = new IteratorObserver(follower.call, follower.operation.createAccumulator(), signals, follower)
  observeFirstIterator(stream, 'iterator', observer)
}
