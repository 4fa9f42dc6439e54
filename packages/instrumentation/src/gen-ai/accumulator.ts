import type { ResponseContent } from './content.ts'
import { type Merged, merging, type Table } from './merge.ts'
import { asName, asRecord, entryOf, type Fields } from './read.ts'

/** Puts a streamed answer together. */
export interface StreamAccumulator {
  /** Takes the next item; true when it brings something the model said. */
  add(item: unknown): boolean
  /** Whether the model has said everything. */
  readonly complete: boolean
  /** The answer as far as it has arrived. */
  readonly answer: ResponseContent
}

/** How the items of a stream become an answer. */
export interface Stream {
  /** What an item adds to the value that the table describes; undefined when nothing. Default: the item itself. */
  delta?(item: Fields): Fields | undefined
  /** How the deltas merge. */
  readonly table: Table
  /** Whether the model has said everything. */
  complete(whole: Fields): boolean
  /** Reads the merged value. */
  answer(whole: Fields): ResponseContent
}

/** Type of an event → what the event adds. */
export type Events = Readonly<Record<string, (event: Fields) => Fields>>

/** Merges the items of one stream by a table. */
export class Accumulator implements StreamAccumulator {
  readonly #stream: Stream
  readonly #merged: Merged

  constructor(stream: Stream) {
    this.#stream = stream
    this.#merged = merging(stream.table)
  }

  add(item: unknown): boolean {
    const { delta } = this.#stream
    const added = delta ? delta(asRecord(item)) : item
    return added !== undefined && this.#merged.add(added)
  }

  get complete(): boolean {
    return this.#stream.complete(asRecord(this.#merged.whole))
  }

  get answer(): ResponseContent {
    return this.#stream.answer(asRecord(this.#merged.whole))
  }
}

/** What an event adds, by the field that has its type. Types that are not in the table add nothing. */
export function byType(field: string, events: Events): (event: Fields) => Fields | undefined {
  return (event) => entryOf(events, asName(event[field]) ?? '')?.(event)
}
