import { own } from '@svc/core/own'
import type { ResponseContent } from './content.ts'
import { createMerger, type Merger, type MergeTable } from './merge.ts'
import { asName, asRecord, type Fields } from './read.ts'

/** Merges the chunks of a streamed response. */
export interface StreamAccumulator {
  /** Adds the next chunk. Returns true if it contains output of the model. */
  add(item: unknown): boolean
  /** Whether the output is complete. */
  readonly isComplete: boolean
  /** The response received so far. */
  readonly response: ResponseContent
}

/** Describes how the chunks of a stream become a response. */
export interface StreamSchema {
  /**
   * Returns what a chunk adds to the value that the table describes; undefined if nothing. Default: the chunk itself.
   */
  toDelta?(item: Fields): Fields | undefined
  /** Describes how the deltas merge. */
  readonly table: MergeTable
  /** Whether the output is complete. */
  isComplete(whole: Fields): boolean
  /** Reads the response from the merged value. */
  readResponse(whole: Fields): ResponseContent
}

/** Maps the type of an event to a function that returns what the event adds. */
export type Events = Readonly<Record<string, (event: Fields) => Fields>>

/** Merges the chunks of one stream by its schema. */
export class Accumulator implements StreamAccumulator {
  readonly #stream: StreamSchema
  readonly #merged: Merger

  constructor(stream: StreamSchema) {
    this.#stream = stream
    this.#merged = createMerger(stream.table)
  }

  add(item: unknown): boolean {
    const { toDelta } = this.#stream
    const added = toDelta ? toDelta(asRecord(item)) : item
    return added !== undefined && this.#merged.add(added)
  }

  get isComplete(): boolean {
    return this.#stream.isComplete(asRecord(this.#merged.value))
  }

  get response(): ResponseContent {
    return this.#stream.readResponse(asRecord(this.#merged.value))
  }
}

/**
 * Returns a function that looks an event up by the field that holds its type. Types that are not in the table add
 * nothing.
 */
export function byType(field: string, events: Events): (event: Fields) => Fields | undefined {
  return (event) => own(events, asName(event[field]) ?? '')?.(event)
}
