import { attempt } from '@svc/core/attempt'
import { isNative } from './promise.ts'
import { isMethod, type Method, shadow } from './shadow.ts'
import { type StreamListener, watchedStream } from './watched-stream.ts'

// Everything that reads a stream; `locked` says whether somebody does.
const READS = ['getReader', 'pipeTo', 'pipeThrough', 'tee', 'values', 'cancel', Symbol.asyncIterator] as const

/**
 * A web `ReadableStream`. Where streams are written in JavaScript (Node) the application keeps its own object, and
 * only when it reads does it read through a stream of ours. Where they are native (browsers, edge runtimes) a
 * `Response` takes a stream without calling any of its methods, so there the application gets the stream of ours at
 * once. Nothing is read ahead in either case. A stream that somebody reads already is left alone.
 */
export function followWebStream(result: object, ending: StreamListener): object | undefined {
  if (typeof ReadableStream !== 'function' || !(result instanceof ReadableStream)) return undefined
  if (result.locked) {
    ending.done()
    return result
  }
  if (isNative(result.getReader)) {
    const watched = watchedStream(result, result.getReader, ending)
    ending.expectFrom(watched)
    return watched
  }
  shadowReads(result, ending)
  ending.expectFrom(result)
  return result
}

function shadowReads(stream: ReadableStream, ending: StreamListener): void {
  const { getReader } = stream
  let watched: ReadableStream | undefined
  const watch = (): ReadableStream => {
    watched ??= watchedStream(stream, getReader, ending)
    return watched
  }
  for (const name of READS) {
    const read: unknown = Reflect.get(stream, name)
    if (!isMethod(read)) continue
    shadow(stream, name, function (this: unknown, ...args: unknown[]) {
      if (this !== stream) return read.apply(this, args)
      const reader = attempt('watch a stream', watch)
      return reader ? (Reflect.get(reader, name) as Method).apply(reader, args) : read.apply(stream, args)
    })
  }
  Object.defineProperty(stream, 'locked', { get: () => watched?.locked ?? false, configurable: true })
}
