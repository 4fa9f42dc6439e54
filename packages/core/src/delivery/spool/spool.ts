import type { Bytes } from '../../bytes.ts'
import { log } from '../../log.ts'
import { after } from '../../timers.ts'
import type { SealedBatch } from '../sealed-batch.ts'
import { type FoundRecord, recordsIn, type SpoolRecord } from './format.ts'
import { SpoolEntry, type SpoolFile } from './spool-file.ts'
import { SpoolFiles, type SpoolParts } from './spool-files.ts'

const TEND_MS = 60_000
/** Milliseconds until a file that could not be read is read again. */
const REST_MS = 60_000

/**
 * Batches on disk: those that do not fit into memory, are too old, or remain when the process ends. They, and those
 * that another process left, are sent when no other batch waits.
 */
export class Spool {
  readonly #parts: SpoolParts
  readonly #files: SpoolFiles
  readonly #onReady: () => void
  #loaded: { readonly file: SpoolFile; readonly batches: SealedBatch[] } | undefined
  #isLoading = false
  #restUntil = 0
  #isEnding = false
  /** Items that were left to the next process. */
  #left = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param onReady called when there may be something to take */
  constructor(parts: SpoolParts, onReady: () => void) {
    this.#parts = parts
    this.#files = new SpoolFiles(parts)
    this.#onReady = onReady
    this.#tend()
  }

  /** Items that are on disk and not in memory. */
  get items(): number {
    return this.#files.items + this.#left
  }

  /** Whether {@link take} may return a batch: not while a file is being read; `onReady` follows. */
  get hasNext(): boolean {
    return !this.#isLoading && !this.#isEnding && !this.#isResting && this.#files.items > 0
  }

  /**
   * Writes a batch that stays in memory.
   *
   * @returns undefined when the disk fails or is full
   */
  write(batch: SealedBatch, onWritten?: () => void): SpoolEntry | undefined {
    return this.#append(batch, true, onWritten)
  }

  /** Moves a batch from memory to disk. @returns whether it did */
  put(batch: SealedBatch): boolean {
    const { entry } = batch
    if (entry?.items === batch.items && entry.file.has(entry)) {
      entry.isInMemory = false
      // It was read just now, so it does not have to be read again.
      if (this.#loaded?.file === entry.file) this.#loaded.batches.push(batch)
      return true
    }
    if (!this.#append(batch, false)) return false
    if (entry) this.done(entry)
    return true
  }

  /** Returns the next batch to send; undefined without one, or while a file is being read. */
  take(): SealedBatch | undefined {
    for (let batch = this.#loaded?.batches.shift(); batch; batch = this.#loaded?.batches.shift()) {
      // It may have been dropped with its file.
      if (!batch.entry?.file.has(batch.entry)) continue
      batch.entry.isInMemory = true
      return batch
    }
    this.#load()
    return undefined
  }

  /** To be called when a piece of a batch became two. */
  split(entry: SpoolEntry): void {
    entry.pieces += 1
  }

  /** To be called when a piece of a batch was accepted or dropped. */
  done(entry: SpoolEntry): void {
    entry.pieces -= 1
    const { file, id } = entry
    if (entry.pieces > 0 || !file.remove(entry)) return
    if (file.isEmpty && !this.#files.isCurrent(file)) this.#files.remove(file)
    else if (!file.isEmpty || !file.segment?.clear()) file.segment?.append({ ...DONE, id }, NOTHING, { onFailed() {} })
  }

  /** The process ends: from now on every write is synchronous. */
  end(): void {
    this.#isEnding = true
    clearTimeout(this.#timer)
    this.#files.isEnding = true
  }

  /** The process goes on after all. */
  goOn(): void {
    if (!this.#isEnding) return
    this.#isEnding = false
    this.#files.isEnding = false
    this.#tend()
  }

  /** Leaves the files to the next process. */
  close(): void {
    this.end()
    this.#left += this.#files.items
    this.#files.close()
    this.#loaded = undefined
  }

  get #isResting(): boolean {
    return this.#parts.clock.now() < this.#restUntil
  }

  #append(batch: SealedBatch, isInMemory: boolean, onWritten?: () => void): SpoolEntry | undefined {
    const { body, isCompressed, rawSize, items, sealedAt } = batch
    const file = this.#files.writable(body.length)
    if (!file?.segment) return undefined
    const at = Date.now() - (this.#parts.clock.now() - sealedAt)
    const record: SpoolRecord = { kind: 'batch', id: file.newId(), isCompressed, rawSize, items, at }
    const entry = new SpoolEntry(file, record, isInMemory)
    const onFailed = (error: Error) => this.#notWritten(entry, error)
    file.segment.append(record, body, onWritten ? { onWritten, onFailed } : { onFailed })
    return entry
  }

  #notWritten(entry: SpoolEntry, error: Error): void {
    this.#files.rest(error)
    if (entry.isInMemory) entry.file.remove(entry)
    else this.#files.loseEntry(entry, { kind: 'spool', text: `The spool cannot be written: ${error.message}.` })
  }

  #load(): void {
    if (this.#isLoading || this.#isEnding || this.#isResting) return
    this.#loaded = undefined
    const file = this.#files.readable()
    if (!file) return
    file.segment?.flush()
    this.#isLoading = true
    this.#read(file.path, (error, bytes) => {
      this.#isLoading = false
      if (this.#isEnding) return
      if (error) {
        this.#notRead(file, error)
      } else {
        this.#loaded = {
          file,
          batches: this.#batchesIn(file, new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length)),
        }
        if (file.isEmpty) this.#files.remove(file)
      }
      this.#onReady()
    })
  }

  #read(path: string, done: (error: NodeJS.ErrnoException | null, bytes: Buffer<ArrayBuffer>) => void): void {
    const { fs, directory } = this.#parts
    try {
      const descriptor = directory.open(path)
      fs.readFile(descriptor, (error, bytes) => {
        fs.close(descriptor)
        done(error, bytes)
      })
    } catch (error) {
      queueMicrotask(() => done(error as Error, Buffer.alloc(0)))
    }
  }

  /** A removed file is lost. One that cannot be read for now (too many open files) is read again later. */
  #notRead(file: SpoolFile, { code, message }: NodeJS.ErrnoException): void {
    if (code === 'ENOENT') {
      this.#files.lose(file, { kind: 'spool read', text: `A spool file cannot be read: ${message}.` })
    } else {
      this.#restUntil = this.#parts.clock.now() + REST_MS
      log.once('warn', `A spool file cannot be read: ${message}. It is read again in a minute.`)
    }
  }

  #batchesIn(file: SpoolFile, bytes: Bytes): SealedBatch[] {
    const records = [...recordsIn(bytes, this.#parts.crc32)]
    if (file.isUnread) this.#adopt(file, records)
    const found = new Set<SpoolEntry>()
    const batches = records.flatMap(({ kind, id, isIntact, body, isCompressed, rawSize, items }): SealedBatch[] => {
      const entry = kind === 'batch' ? file.get(id) : undefined
      if (!entry || entry.isInMemory || !isIntact || found.has(entry)) return []
      found.add(entry)
      // No flush waits for it, and it does not become too old: if it fails, it returns to the spool.
      const epoch = Number.POSITIVE_INFINITY
      return [{ body, isCompressed, rawSize, items, entry, epoch, sealedAt: this.#parts.clock.now() }]
    })
    for (const entry of file.waiting) {
      if (found.has(entry)) continue
      this.#files.loseEntry(entry, { kind: 'spool corrupt', text: `A record of the spool is corrupt (${file.path}).` })
    }
    return batches
  }

  /** Counts the items that another process left as items of this one. */
  #adopt(file: SpoolFile, records: readonly FoundRecord[]): void {
    const done = new Set(records.filter(({ kind }) => kind === 'done').map(({ id }) => id))
    for (const record of records) {
      // Of two of one number, the second is a copy.
      if (record.kind !== 'batch' || done.has(record.id) || file.get(record.id)) continue
      const { items } = new SpoolEntry(file, record, false)
      // Items that this process left are counted already.
      const counted = Math.min(this.#left, items)
      this.#left -= counted
      this.#parts.ledger.end(items - counted)
    }
    file.isUnread = false
    this.#files.dropOld(file)
  }

  #tend(): void {
    this.#files.tend()
    this.#timer = after(TEND_MS, () => this.#tend())
    queueMicrotask(this.#onReady)
  }
}

const DONE: Omit<SpoolRecord, 'id'> = { kind: 'done', isCompressed: false, rawSize: 0, items: 0, at: 0 }
const NOTHING = new Uint8Array()
