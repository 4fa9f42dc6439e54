import type { Segment } from './segment.ts'

/** A batch on disk. */
export class SpoolEntry {
  readonly file: SpoolFile
  readonly id: number
  readonly items: number
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
  /** Number of its parts that are not settled: a batch may be halved. */
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

  /** Whether the batch is in memory, too. */
  get isInMemory(): boolean {
    return this.#isInMemory
  }

  set isInMemory(isInMemory: boolean) {
    if (!this.file.remove(this)) return
    this.#isInMemory = isInMemory
    this.file.add(this)
  }
}

/** A file that this process owns: one that it writes, or one that another process left, which it only reads. */
export class SpoolFile {
  readonly path: string
  readonly segment: Segment | undefined
  /** Batches that are not done yet. */
  readonly #entries = new Map<number, SpoolEntry>()
  readonly #foundSize: number
  /** Whether another process left it and its content is not known yet. */
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

  /** Items that are not in memory. */
  get items(): number {
    return this.#items
  }

  /** Batches that are not in memory. */
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

  /** Called when the file is lost, with all its batches. */
  clear(): void {
    this.#entries.clear()
    this.#items = 0
    this.isUnread = false
  }

  /** @returns whether the file had it */
  remove(entry: SpoolEntry): boolean {
    if (!this.has(entry)) return false
    this.#entries.delete(entry.id)
    if (!entry.isInMemory) this.#items -= entry.items
    return true
  }
}
