import type { Segment } from './segment.ts'

/** A batch on disk. */
export class SpoolEntry {
  readonly file: SpoolFile
  readonly id: number
  readonly spans: number
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
  /** Whether the batch is in memory as well. */
  isInMemory: boolean
  /** Pieces of it that are not settled: a batch may be halved. */
  pieces = 1

  constructor(
    file: SpoolFile,
    { id, spans, at }: { readonly id: number; readonly spans: number; readonly at: number },
    isInMemory: boolean,
  ) {
    this.file = file
    this.id = id
    this.spans = spans
    this.at = at
    this.isInMemory = isInMemory
    file.entries.set(id, this)
  }
}

/** A file of ours: one that we wrote, or one that another process left, which we only read. */
export class SpoolFile {
  readonly path: string
  readonly segment: Segment | undefined
  /** Batches that are still wanted. */
  readonly entries = new Map<number, SpoolEntry>()
  readonly #foundSize: number
  #ids = 0

  /** @param foundSize bytes of a file that another process left */
  constructor(path: string, segment: Segment | undefined, foundSize = 0) {
    this.path = path
    this.segment = segment
    this.#foundSize = foundSize
  }

  get size(): number {
    return this.segment?.size ?? this.#foundSize
  }

  newId(): number {
    return this.#ids++
  }

  /** Batches that are only here. */
  get waiting(): SpoolEntry[] {
    return [...this.entries.values()].filter(({ isInMemory }) => !isInMemory)
  }
}
