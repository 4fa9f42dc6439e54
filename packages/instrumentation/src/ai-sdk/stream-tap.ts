import { isErrored } from 'node:stream'
import type { Transformer } from 'node:stream/web'
import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { asRecord, isObject } from '../gen-ai/read.ts'
import { fateOf } from './fate.ts'
import type { OpenSpan } from './open-span.ts'
import type { Said } from './said.ts'

/** Who hears the stream of a model. */
export interface Ear {
  /** A piece arrives. */
  add(piece: unknown): void
  /** Nothing more arrives: the stream has failed, or its reader gave up. */
  cancel(reason: unknown): void
}

/** Who hears a stream, until the SDK reads it. */
const ears = new WeakMap<object, Ear>()

/** Takes what hears a stream from now on. */
export function takeEar(stream: unknown): Ear | undefined {
  if (!isObject(stream)) return undefined
  const ear = ears.get(stream)
  ears.delete(stream)
  return ear
}

/**
 * The answer of a model, whose stream is heard.
 *
 * @param heard where the SDK reads it, else apart
 */
export function heardIn(answer: unknown, heard: boolean, earOf: (stream: ReadableStream) => Ear): unknown {
  const { stream } = asRecord(answer)
  if (!isObject(answer) || !(stream instanceof ReadableStream)) return answer
  const ear = earOf(stream)
  if (heard) {
    ears.set(stream, ear)
    return answer
  }
  if (stream.locked) return answer
  return Object.assign(Object.create(Object.getPrototypeOf(answer)), answer, { stream: heardApart(stream, ear) })
}

/** Hears the stream of a model for its span, where the SDK reads it: a stream more in between costs more than all else. */
export function earFor(stream: ReadableStream, model: OpenSpan, said: Said, signal: unknown): Ear {
  const fate = (reason: unknown) => {
    // A pipe tells the same of a source that fails and of a reader that leaves.
    if (isErrored(stream as unknown as NodeJS.ReadableStream)) return fateOf(reason, signal)
    const { aborted, reason: given } = asRecord(signal)
    return aborted === true ? fateOf(given, signal) : 'stopped early'
  }
  return {
    add(piece) {
      try {
        said.add(piece)
      } catch (error) {
        attempt('hear a piece of a stream', () => {
          throw error
        })
      }
    },
    cancel(reason) {
      attempt('end a stream', () => model.modelEndedAs(fate(reason)))
    },
  }
}

/** The same stream, heard by a stream in between. */
function heardApart(stream: ReadableStream, ear: Ear): ReadableStream {
  const passing: Transformer = { transform: (piece, controller) => controller.enqueue(piece) }
  return stream.pipeThrough(new TransformStream(hearing(ear, passing)))
}

/**
 * The same transformer, which hears what it transforms. It works in the context in which it is made: a pipe works in
 * that of its source, which is within the call of the model, and tools and callbacks of the application are not.
 */
export function hearing(ear: Ear, transformer: Transformer): Transformer {
  const { transform, flush } = transformer
  const around = context.active()
  const heard: Transformer = {
    ...transformer,
    transform(piece, controller) {
      ear.add(piece)
      return context.with(around, () => transform?.call(transformer, piece, controller))
    },
    flush: (controller) => context.with(around, () => flush?.call(transformer, controller)),
  }
  return Object.assign(heard, { cancel: (reason: unknown) => ear.cancel(reason) })
}
