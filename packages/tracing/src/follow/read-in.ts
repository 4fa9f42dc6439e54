/// <reference lib="es2024.promise" />
import { type Context, context } from '@opentelemetry/api'
import type { Piece } from './watched-stream.ts'

/** A chunk that is waited for. */
export interface Wanted {
  readonly promise: Promise<Piece>
  resolve(piece: Piece): void
  reject(error: unknown): void
}

/** Reads a stream for others, who wait for one chunk at a time. */
export interface Reading {
  /** Requests the next chunk, from any context. */
  request(wanted: Wanted): void
  /** From here on nothing is read. */
  isOver: boolean
}

/**
 * Reads a stream within `inner`. An async function stays in the async context in which it began: so that context is
 * entered once for all chunks.
 *
 * @param reader of a stream that is not read by others
 */
export function readIn(inner: Context, reader: ReadableStreamDefaultReader): Reading {
  const request = (wanted: Wanted) => void context.with(inner, answer, undefined, wanted)
  const reading: Reading = { request, isOver: false }
  const answer = async (first: Wanted) => {
    for (let wanted = first; !reading.isOver; ) {
      try {
        wanted.resolve(await reader.read())
      } catch (error) {
        wanted.reject(error)
      }
      const following = Promise.withResolvers<Wanted>()
      reading.request = following.resolve
      wanted = await following.promise
    }
  }
  return reading
}
