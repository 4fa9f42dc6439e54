import type { Bytes } from '../../bytes.ts'
import { log, messageOf } from '../../log.ts'
import { capitalized, type Noun } from '../noun.ts'
import type { SpoolDirectory } from './directory.ts'
import { Segment, type SegmentParts } from './segment.ts'

/** Items of a batch that is not sealed yet, on disk. */
export interface AheadFile {
  /** To be called when the whole batch is on disk or was accepted. */
  remove(): void
}

/**
 * Writes items while their batch is still open, in case the process is killed before it is sealed. One file per batch;
 * each record is a separate request.
 */
export class WriteAhead {
  readonly #parts: SegmentParts
  readonly #directory: SpoolDirectory
  readonly #noun: Noun
  #segment: Segment | undefined
  #ids = 0
  /** A free buffer: allocating one each time would cost more than copying into it. */
  #spare: ArrayBuffer | undefined

  constructor(directory: SpoolDirectory, noun: Noun, parts: SegmentParts) {
    this.#noun = noun
    this.#directory = directory
    this.#parts = parts
  }

  /** Returns a buffer for the next request, if one is free. */
  takeSpare(): ArrayBuffer | undefined {
    const spare = this.#spare
    this.#spare = undefined
    return spare
  }

  /** @param request items of the open batch that are not written yet; its buffer belongs to this object from now on */
  write(request: Bytes, items: number): void {
    const rawSize = request.length
    const onWritten = () => {
      this.#spare = request.buffer
    }
    try {
      this.#segment ??= new Segment(this.#directory.newPath(), this.#parts)
      const record = { kind: 'batch', id: this.#ids++, isCompressed: false, rawSize, items, at: Date.now() } as const
      this.#segment.append(record, request, { onWritten, onFailed: (error) => this.#warn(error) })
    } catch (error) {
      this.#warn(error)
    }
  }

  /** To be called when the open batch is sealed. @returns the file with its items, if they were written */
  next(): AheadFile | undefined {
    const segment = this.#segment
    this.#segment = undefined
    if (!segment) return undefined
    let isThere = true
    return {
      remove: () => {
        if (isThere) segment.discard()
        if (isThere) this.#directory.remove(segment.path)
        isThere = false
      },
    }
  }

  // Items that were not written ahead are still in memory: nothing is lost yet.
  #warn(error: unknown): void {
    log.once(
      'warn',
      `${capitalized(this.#noun)} cannot be written to disk (SVC_OTEL_SPOOL=always): ${messageOf(error)}.`,
    )
  }
}
