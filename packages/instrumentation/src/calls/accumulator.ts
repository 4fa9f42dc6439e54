import type { Listener } from './call.ts'
import { type Merged, merging, type Table } from './merge.ts'
import { entryOf, type Fields, fieldsOf, nameOf } from './read.ts'
import type { Answer } from './result.ts'

/** How the items of a stream become an answer. */
export interface Stream {
  /** What an item adds to the value that the table describes; undefined when nothing. Default: the item itself. */
  delta?(item: Fields): Fields | undefined
  /** How the deltas merge. */
  readonly table: Table
  /** Whether the model has said everything. */
  complete(whole: Fields): boolean
  /** Reads the merged value. */
  answer(whole: Fields): Answer
}

/** Type of an event → what the event adds. */
export type Events = Readonly<Record<string, (event: Fields) => Fields>>

/** Merges the items of one stream by a table. */
export class Accumulator implements Listener {
  readonly #stream: Stream
  readonly #merged: Merged

  constructor(stream: Stream) {
    this.#stream = stream
    this.#merged = merging(stream.table)
  }

  add(item: unknown): boolean {
    const { delta } = this.#stream
    const added = delta ? delta(fieldsOf(item)) : item
    return added !== undefined && this.#merged.add(added)
  }

  get complete(): boolean {
    return this.#stream.complete(fieldsOf(this.#merged.whole))
  }

  get answer(): Answer {
    return this.#stream.answer(fieldsOf(this.#merged.whole))
  }
}

/** What an event adds, by the field that has its type. Types that are not in the table add nothing. */
export function byType(field: string, events: Events): (event: Fields) => Fields | undefined {
  return (event) => entryOf(events, nameOf(event[field]) ?? '')?.(event)
}
