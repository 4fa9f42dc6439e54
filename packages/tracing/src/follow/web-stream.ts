import { attempt } from '@svc/core/attempt'
import { isMethod, type Method, overrideMethod } from '@svc/core/override-method'
import { pipe } from './pipe.ts'
import { isNative } from './promise.ts'
import { isByteStream, type StreamListener, watchedStream } from './watched-stream.ts'

// Every method that reads a stream.
const READS = ['getReader', 'pipeTo', 'pipeThrough', 'tee', 'values', 'cancel', Symbol.asyncIterator] as const
/** What is replaced of a stream that is followed. */
const REPLACED = [...READS, 'locked'] as const

/**
 * Follows a web `ReadableStream`. Where streams are written in JavaScript (Node), the application keeps its own object,
 * whose methods read through a stream of ours. Where they are native (browsers, edge runtimes), a `Response` reads a
 * stream without calling any of its methods, so the application receives our stream instead. Nothing is read ahead in
 * either case. A locked stream is not followed.
 */
export function followWebStream(result: object, ending: StreamListener): object | undefined {
  if (!isWebStream(result) || result.locked || isNativeRead(result.getReader)) return followByStream(result, ending)
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

let lastGetReader: unknown
let isLastNative = false

/** Of all streams that are not of the application's own class it is the same method. */
function isNativeRead(getReader: unknown): boolean {
  if (getReader !== lastGetReader) {
    lastGetReader = getReader
    isLastNative = isNative(getReader)
  }
  return isLastNative
}

function observeReads(stream: ReadableStream, ending: StreamListener): void {
  const reads: Reads = { stream, getReader: stream.getReader, ending, isPiped: false, watched: undefined }
  // Almost every stream: one prototype for all costs less than eight properties of each.
  const isPlain =
    Object.getPrototypeOf(stream) === ReadableStream.prototype && !REPLACED.some((name) => Object.hasOwn(stream, name))
  if (isPlain) {
    prototype ??= followedPrototype()
    if (Reflect.setPrototypeOf(stream, prototype)) {
      new Followed(stream, reads)
      return
    }
  }
  for (const name of READS) {
    const read: unknown = Reflect.get(stream, name)
    if (isMethod(read)) {
      overrideMethod(stream, name, function (this: unknown, ...args: unknown[]) {
        return readBy(this === stream ? reads : undefined, read, this, name, args)
      })
    }
  }
  reads.isLockedBelow = lockedOf(stream)
  Object.defineProperty(stream, 'locked', { get: () => isReadFrom(stream, reads), configurable: true })
}

/** Returns the getter of `locked`: that of the class, or of who follows the stream already. */
function lockedOf(stream: ReadableStream): () => boolean {
  const getter = Object.getOwnPropertyDescriptor(stream, 'locked')?.get
  return getter ?? (() => Reflect.get(Object.getPrototypeOf(stream), 'locked', stream))
}

/** How a stream is read that is followed. */
interface Reads {
  readonly stream: ReadableStream
  readonly getReader: ReadableStream['getReader']
  readonly ending: StreamListener
  /** Whether `locked` is not that of the class: the stream is followed twice. */
  isLockedBelow?: () => boolean
  /** Whether it was read by {@link pipe}, after which nothing of it is left. */
  isPiped: boolean
  /** The stream to read instead, which reports to the listener. Made when it is first read. */
  watched: ReadableStream | undefined
}

/** Servers read the body of a response in this way. */
function pipedBy(reads: Reads, args: readonly unknown[]): Promise<void> | undefined {
  const { stream, getReader, ending, watched } = reads
  const isOwn =
    getReader !== ReadableStream.prototype.getReader && getReader !== Reflect.get(prototype ?? {}, 'getReader')
  const piped = watched || isOwn ? undefined : pipe(stream, getReader, ending, args)
  if (piped) reads.isPiped = true
  return piped
}

function watchedBy(reads: Reads, name: PropertyKey, args: readonly unknown[]): ReadableStream {
  const { stream, getReader, ending } = reads
  reads.watched ??= watchedStream(
    stream,
    getReader,
    ending,
    takesBuffers(name, args) && isByteStream(stream, getReader),
  )
  return reads.watched
}

function readBy(reads: Reads | undefined, read: Method, self: unknown, name: PropertyKey, args: unknown[]): unknown {
  const isReadElsewhere = !reads || reads.isPiped || (!reads.watched && isReadFrom(reads.stream, reads))
  if (isReadElsewhere) return read.apply(self, args)
  const piped = name === 'pipeTo' && attempt('pipe a stream', pipedBy, reads, args)
  if (piped) return piped
  const reader = attempt('watch a stream', watchedBy, reads, name, args)
  return reader ? (Reflect.get(reader, name) as Method).apply(reader, args) : read.apply(self, args)
}

/** As a base class it returns its argument, on which the private fields of the derived class are put. */
function itself(object: object) {
  return object
}

/** Keeps the {@link Reads} of a stream in a private field of it. A property that is not enumerable costs more. */
class Followed extends (itself as unknown as new (object: object) => object) {
  readonly #reads: Reads

  constructor(stream: object, reads: Reads) {
    super(stream)
    this.#reads = reads
  }

  static readsOf(stream: unknown): Reads | undefined {
    const object = Object(stream) as object
    return #reads in object ? object.#reads : undefined
  }
}

let prototype: object | undefined

/** The prototype of followed streams, which reads as their {@link Reads} say. */
function followedPrototype(): object {
  const methods = READS.flatMap((name) => {
    const read: unknown = Reflect.get(ReadableStream.prototype, name)
    const value = function (this: unknown, ...args: unknown[]) {
      return readBy(Followed.readsOf(this), read as Method, this, name, args)
    }
    return isMethod(read) ? [[name, { value, writable: true, configurable: true }] as const] : []
  })
  const locked = {
    get(this: object) {
      return isReadFrom(this, Followed.readsOf(this))
    },
    configurable: true,
  }
  return Object.create(ReadableStream.prototype, { ...Object.fromEntries(methods), locked })
}

function isReadFrom(stream: object, reads: Reads | undefined): boolean {
  if (reads?.watched) return reads.watched.locked
  return reads?.isLockedBelow ? reads.isLockedBelow() : isLocked(stream)
}

function isLocked(stream: object): boolean {
  return Reflect.get(ReadableStream.prototype, 'locked', stream)
}

/** Whether this way to read differs between byte streams and others. */
function takesBuffers(name: PropertyKey, [options]: readonly unknown[]): boolean {
  return name === 'tee' || (name === 'getReader' && (options as { mode?: unknown } | undefined)?.mode !== undefined)
}
