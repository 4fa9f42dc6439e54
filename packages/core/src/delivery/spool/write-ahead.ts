import { log, messageOf } from '../../log.ts'
import { capitalized, type Noun } from '../noun.ts'
import type { SpoolDirectory } from './directory.ts'
import { Segment, type SegmentParts } from './segment.ts'

/** Items of a batch that is not sealed yet, on disk. */
export interface AheadFile {
  /** The batch is on disk as a whole, or has arrived. */
  remove(): void
}

/**
 * Writes items down while their batch is still open, for a process that is killed before it is sealed. One file a
 * batch, and each record of it a request of its own.
 */
export class WriteAhead {
  readonly #parts: SegmentParts
  readonly #directory: SpoolDirectory
  readonly #noun: Noun
  #segment: Segment | undefined
  #ids = 0
  /** A buffer that is free: a new one each time would cost more than what is copied into it. */
  #spare: ArrayBuffer | undefined

  constructor(directory: SpoolDirectory, noun: Noun, parts: SegmentParts) {
    this.#noun = noun
    this.#directory = directory
    this.#parts = parts
  }

  /** A buffer to make the next request in, if one is free. */
  takeSpare(): ArrayBuffer | undefined {
    const spare = this.#spare
    this.#spare = undefined
    return spare
  }

  /** @param request items of the open batch that were not written before; its buffer is ours from now on */
  write(request: Uint8Array<ArrayBuffer>, items: number): void {
    const rawSize = request.length
    const onWritten = () => {
      this.#spare = request.buffer
    }
    try {
      this.#segment ??= new Segment(this.#directory.newPath(), this.#parts)
      const record = { kind: 'batch', id: this.#ids++, isCompressed: false, rawSize, items, at: Date.now() } as const
      this.#segment.append(record, request, { onWritten, onFailed: (error) => this.#say(error) })
    } catch (error) {
      this.#say(error)
    }
  }

  /** The open batch is sealed, and another one begins. @returns where its items lie, if they were written */
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

  // What was not written ahead is still in memory: nothing is lost yet.
  #say(error: unknown): void {
    log.once('warn', `${capitalized(this.#noun)} cannot be written ahead (SVC_OTEL_SPOOL=always): ${messageOf(error)}.`)
  }
}
