import { attempt } from '@svc/core/attempt'
import { isMethod, type Method, overrideMethod } from '@svc/core/override-method'
import { isNative } from './promise.ts'
import { isByteStream, type StreamListener, watchedStream } from './watched-stream.ts'

// Every method that reads a stream.
const READS = ['getReader', 'pipeTo', 'pipeThrough', 'tee', 'values', 'cancel', Symbol.asyncIterator] as const

/**
 * Follows a web `ReadableStream`. Where streams are written in JavaScript (Node), the application keeps its own object,
 * whose methods read through a stream of ours. Where they are native (browsers, edge runtimes), a `Response` reads a
 * stream without calling any of its methods, so the application receives our stream instead. Nothing is read ahead in
 * either case. A locked stream is not followed.
 */
export function followWebStream(result: object, ending: StreamListener): object | undefined {
  if (!isWebStream(result) || result.locked || isNative(result.getReader)) return followByStream(result, ending)
  observeReads(result, ending)
  ending.expectFrom(result)
  return result
}

/** Follows a web `ReadableStream` by one that the application receives instead of it. */
export function followByStream(result: object, ending: StreamListener): object | undefined {
  if (!isWebStream(result)) return undefined
  if (result.locked) {
    ending.done()
    return result
  }
  const watched = watchedStream(result, result.getReader, ending, isByteStream(result, result.getReader))
  ending.expectFrom(watched)
  return watched
}

function isWebStream(value: object): value is ReadableStream {
  return typeof ReadableStream === 'function' && value instanceof ReadableStream
}

function observeReads(stream: ReadableStream, ending: StreamListener): void {
  const { getReader } = stream
  const isLockedBelow = lockedOf(stream)
  /** The stream to read instead, which reports to `ending`. Made when it is first read. */
  let watched: ReadableStream | undefined
  const isLocked = () => (watched ? watched.locked : isLockedBelow())
  const watch = (name: PropertyKey, args: readonly unknown[]) => {
    watched ??= watchedStream(stream, getReader, ending, takesBuffers(name, args) && isByteStream(stream, getReader))
    return watched
  }
  for (const name of READS) {
    const read: unknown = Reflect.get(stream, name)
    if (!isMethod(read)) continue
    overrideMethod(stream, name, function (this: unknown, ...args: unknown[]) {
      if (this !== stream || (!watched && isLocked())) return read.apply(this, args)
      const reader = attempt('watch a stream', watch, name, args)
      return reader ? (Reflect.get(reader, name) as Method).apply(reader, args) : read.apply(stream, args)
    })
  }
  Object.defineProperty(stream, 'locked', { get: isLocked, configurable: true })
}

/** Returns the getter of `locked`: that of the class, or of who follows the stream already. */
function lockedOf(stream: ReadableStream): () => boolean {
  const getter = Object.getOwnPropertyDescriptor(stream, 'locked')?.get
  return getter ?? (() => Reflect.get(Object.getPrototypeOf(stream), 'locked', stream))
}

/** Whether this way to read differs between byte streams and others. */
function takesBuffers(name: PropertyKey, [options]: readonly unknown[]): boolean {
  return name === 'tee' || (name === 'getReader' && (options as { mode?: unknown } | undefined)?.mode !== undefined)
}
