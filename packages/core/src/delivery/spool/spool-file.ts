import type { Segment } from './segment.ts'

/** A batch on disk. */
export class SpoolEntry {
  readonly file: SpoolFile
  readonly id: number
  readonly items: number
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
  /** Pieces of it that are not settled: a batch may be halved. */
  pieces = 1
  #isInMemory: boolean

  constructor(
    file: SpoolFile,
    { id, items, at }: { readonly id: number; readonly items: number; readonly at: number },
    isInMemory: boolean,
  ) {
    this.file = file
    this.id = id
    this.items = items
    this.at = at
    this.#isInMemory = isInMemory
    file.add(this)
  }

  /** Whether the batch is in memory as well. */
  get isInMemory(): boolean {
    return this.#isInMemory
  }

  set isInMemory(isInMemory: boolean) {
    if (!this.file.remove(this)) return
    this.#isInMemory = isInMemory
    this.file.add(this)
  }
}

/** A file of ours: one that we wrote, or one that another process left, which we only read. */
export class SpoolFile {
  readonly path: string
  readonly segment: Segment | undefined
  /** Batches that are still wanted. */
  readonly #entries = new Map<number, SpoolEntry>()
  readonly #foundSize: number
  /** Another process left it, and what is in it is not known. */
  isUnread: boolean
  #items = 0
  #ids = 0

  /** @param foundSize bytes of a file that another process left */
  constructor(path: string, segment: Segment | undefined, foundSize = 0) {
    this.path = path
    this.segment = segment
    this.#foundSize = foundSize
    this.isUnread = segment === undefined
  }

  get size(): number {
    return this.segment?.size ?? this.#foundSize
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0 && !this.isUnread
  }

  /** Items that are only here. */
  get items(): number {
    return this.#items
  }

  /** Batches that are only here. */
  get waiting(): SpoolEntry[] {
    return [...this.#entries.values()].filter(({ isInMemory }) => !isInMemory)
  }

  newId(): number {
    return this.#ids++
  }

  get(id: number): SpoolEntry | undefined {
    return this.#entries.get(id)
  }

  has(entry: SpoolEntry): boolean {
    return this.#entries.get(entry.id) === entry
  }

  add(entry: SpoolEntry): void {
    const known = this.#entries.get(entry.id)
    if (known) this.remove(known)
    this.#entries.set(entry.id, entry)
    if (!entry.isInMemory) this.#items += entry.items
  }

  /** It is gone, with all that was in it. */
  clear(): void {
    this.#entries.clear()
    this.#items = 0
    this.isUnread = false
  }

  /** @returns whether it was here */
  remove(entry: SpoolEntry): boolean {
    if (!this.has(entry)) return false
    this.#entries.delete(entry.id)
    if (!entry.isInMemory) this.#items -= entry.items
    return true
  }
}
