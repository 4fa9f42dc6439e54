import { log } from '../../log.ts'
import { after } from '../../timers.ts'
import type { SealedBatch } from '../sealed-batch.ts'
import { type FoundRecord, recordsIn, type SpoolRecord } from './format.ts'
import { SpoolEntry, type SpoolFile } from './spool-file.ts'
import { SpoolFiles, type SpoolParts } from './spool-files.ts'

const TEND_MS = 60_000
/** Milliseconds until a file is read again that could not be. */
const REST_MS = 60_000

/**
 * Batches on disk: what memory has no room for, what is too old, what is left when the process ends. They are sent
 * when nothing else waits, and those that another process left behind as well.
 */
export class Spool {
  readonly #parts: SpoolParts
  readonly #files: SpoolFiles
  readonly #onReady: () => void
  #loaded: { readonly file: SpoolFile; readonly batches: SealedBatch[] } | undefined
  #isLoading = false
  #restUntil = 0
  #isEnding = false
  /** Items that were left to whoever comes next. */
  #left = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param onReady told when there may be something to take */
  constructor(parts: SpoolParts, onReady: () => void) {
    this.#parts = parts
    this.#files = new SpoolFiles(parts)
    this.#onReady = onReady
    this.#tend()
  }

  /** Items that are here and not in memory. */
  get items(): number {
    return this.#files.items + this.#left
  }

  /** Whether it is worth asking {@link take}: not while a file is being read, whose end is told. */
  get hasNext(): boolean {
    return !this.#isLoading && !this.#isEnding && !this.#isResting && this.#files.items > 0
  }

  /**
   * Writes down a batch that stays in memory.
   *
   * @returns undefined when the disk does not take it
   */
  write(batch: SealedBatch, onWritten?: () => void): SpoolEntry | undefined {
    return this.#append(batch, true, onWritten)
  }

  /** Takes a batch over from memory. @returns whether it did */
  put(batch: SealedBatch): boolean {
    const { entry } = batch
    if (entry?.items === batch.items && entry.file.has(entry)) {
      entry.isInMemory = false
      // It was read a moment ago: not once more.
      if (this.#loaded?.file === entry.file) this.#loaded.batches.push(batch)
      return true
    }
    if (!this.#append(batch, false)) return false
    if (entry) this.done(entry)
    return true
  }

  /** The next batch to send; undefined when there is none, or none yet. */
  take(): SealedBatch | undefined {
    for (let batch = this.#loaded?.batches.shift(); batch; batch = this.#loaded?.batches.shift()) {
      // It may have been dropped meanwhile, with its file.
      if (!batch.entry?.file.has(batch.entry)) continue
      batch.entry.isInMemory = true
      return batch
    }
    this.#load()
    return undefined
  }

  /** One piece of a batch became two. */
  split(entry: SpoolEntry): void {
    entry.pieces += 1
  }

  /** A piece of a batch arrived, or was given up. */
  done(entry: SpoolEntry): void {
    entry.pieces -= 1
    const { file, id } = entry
    if (entry.pieces > 0 || !file.remove(entry)) return
    if (file.isEmpty && !this.#files.isCurrent(file)) this.#files.remove(file)
    else if (!file.isEmpty || !file.segment?.clear()) file.segment?.append({ ...DONE, id }, NOTHING, { onFailed() {} })
  }

  /** The process ends: from now on all is on disk when a call returns. */
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

  /** Leaves what is here to whoever comes next. */
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
    this.#parts.fs.readFile(file.path, (error, bytes) => {
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

  /** A file that is gone is lost. One that cannot be read just now (too many open files) is read again later. */
  #notRead(file: SpoolFile, { code, message }: NodeJS.ErrnoException): void {
    if (code === 'ENOENT') {
      this.#files.lose(file, { kind: 'spool read', text: `A spool file cannot be read: ${message}.` })
    } else {
      this.#restUntil = this.#parts.clock.now() + REST_MS
      log.once('warn', `A spool file cannot be read: ${message}. It is read again in a minute.`)
    }
  }

  #batchesIn(file: SpoolFile, bytes: Uint8Array<ArrayBuffer>): SealedBatch[] {
    const records = [...recordsIn(bytes, this.#parts.crc32)]
    if (file.isUnread) this.#adopt(file, records)
    const found = new Set<SpoolEntry>()
    const batches = records.flatMap(({ kind, id, isIntact, body, isCompressed, rawSize, items }): SealedBatch[] => {
      const entry = kind === 'batch' ? file.get(id) : undefined
      if (!entry || entry.isInMemory || !isIntact) return []
      found.add(entry)
      // No flush waits for it, and it does not become too old: what fails goes back to where it was.
      const epoch = Number.POSITIVE_INFINITY
      return [{ body, isCompressed, rawSize, items, entry, epoch, sealedAt: this.#parts.clock.now() }]
    })
    for (const entry of file.waiting) {
      if (found.has(entry)) continue
      this.#files.loseEntry(entry, { kind: 'spool corrupt', text: `A record of the spool is corrupt (${file.path}).` })
    }
    return batches
  }

  /** What another process left counts as ours from now on. */
  #adopt(file: SpoolFile, records: readonly FoundRecord[]): void {
    const done = new Set(records.filter(({ kind }) => kind === 'done').map(({ id }) => id))
    for (const record of records) {
      if (record.kind !== 'batch' || done.has(record.id)) continue
      const { items } = new SpoolEntry(file, record, false)
      // What this process left counts already.
      const own = Math.min(this.#left, items)
      this.#left -= own
      this.#parts.ledger.adopt(items - own)
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
