import { log, messageOf } from '../../log.ts'
import type { Cause } from '../../losses.ts'
import type { Clock } from '../clock.ts'
import type { Ledger } from '../ledger.ts'
import { capitalized, type Noun } from '../noun.ts'
import type { SpoolDirectory } from './directory.ts'
import { isHeaderOf } from './format.ts'
import { Segment, type SegmentParts } from './segment.ts'
import { type SpoolEntry, SpoolFile } from './spool-file.ts'

const MEBI = 1_048_576
/** Maximum bytes of a file, which is read, or dropped, as a whole. */
const FILE_SIZE = 8 * MEBI
/** Maximum size of a file, as a share of the limit of the spool. */
const FILE_SHARE = 1 / 4
/** Maximum bytes of writes in progress: a slow disk keeps them in memory. */
const MAX_PENDING = 16 * MEBI
/** Milliseconds without writes after a write failed. */
const REST_MS = 60_000

export interface SpoolParts extends SegmentParts {
  readonly directory: SpoolDirectory
  readonly maxBytes: number
  readonly maxAgeMs: number
  readonly ledger: Ledger
  readonly noun: Noun
  readonly clock: Clock
}

/** The files of this process, oldest first. Enforces their limits of size and age, and counts what is lost. */
export class SpoolFiles {
  readonly #parts: SpoolParts
  readonly #files: SpoolFile[] = []
  #current: SpoolFile | undefined
  #othersSize = 0
  #restUntil = 0
  #mayClaim = true
  #isEnding = false

  constructor(parts: SpoolParts) {
    this.#parts = parts
  }

  /** Items that are only on disk. */
  get items(): number {
    return this.#files.reduce((sum, { items }) => sum + items, 0)
  }

  isCurrent(file: SpoolFile): boolean {
    return file === this.#current
  }

  /** Returns a file with room for `size` bytes; undefined without room, or while the disk fails. */
  writable(size: number): SpoolFile | undefined {
    const { clock, directory, maxBytes } = this.#parts
    const pending = this.#pendingSize
    if (clock.now() < this.#restUntil || (pending > 0 && pending + size > MAX_PENDING)) return undefined
    if (this.#othersSize + size > maxBytes) return undefined
    const fileSize = Math.min(FILE_SIZE, maxBytes * FILE_SHARE)
    if (this.#current && this.#current.size + size > fileSize) this.#current = undefined
    while (this.#size + size > maxBytes) {
      const oldest = this.#files.find((file) => file !== this.#current && !file.isUnread)
      if (!oldest) return undefined
      this.lose(oldest, {
        kind: 'spool full',
        text: `The spool is full (${maxBytes} bytes, SVC_OTEL_SPOOL_MAX_BYTES).`,
      })
    }
    try {
      this.#current ??= this.#newFile(directory.newPath())
    } catch (error) {
      this.rest(error)
    }
    return this.#current
  }

  /** Returns a file with batches that are not in memory: one of this process, else an abandoned one. */
  readable(): SpoolFile | undefined {
    const file = this.#files.find(({ items, isUnread }) => items > 0 || isUnread) ?? this.#claim()
    if (file === this.#current) this.#current = undefined
    return file
  }

  remove(file: SpoolFile): void {
    file.segment?.discard()
    this.#parts.directory.remove(file.path)
    if (this.#current === file) this.#current = undefined
    const at = this.#files.indexOf(file)
    if (at >= 0) this.#files.splice(at, 1)
  }

  lose(file: SpoolFile, cause: Cause): void {
    for (const entry of file.waiting) this.loseEntry(entry, cause)
    file.clear()
    this.remove(file)
  }

  loseEntry(entry: SpoolEntry, cause: Cause): void {
    if (entry.file.remove(entry)) this.#parts.ledger.drop('spool', entry.items, cause)
  }

  dropOld(file: SpoolFile): void {
    const { maxAgeMs, noun } = this.#parts
    const text = `${capitalized(noun)} in the spool are kept for ${maxAgeMs / 1_000} s (SVC_OTEL_SPOOL_MAX_AGE).`
    for (const entry of file.waiting) {
      if (entry.at < Date.now() - maxAgeMs) this.loseEntry(entry, { kind: 'spool age', text })
    }
  }

  /** To be called when a write failed. */
  rest(error: unknown): void {
    this.#restUntil = this.#parts.clock.now() + REST_MS
    const next = this.#isEnding ? '' : ' It is tried again in a minute.'
    log.once('warn', `The spool cannot be written: ${messageOf(error)}.${next}`)
  }

  /** Touches the files of this process, and looks for abandoned ones. */
  tend(): void {
    const { directory, identity, maxAgeMs } = this.#parts
    directory.touch(this.#files.map(({ path }) => path))
    const expired = directory.expire(maxAgeMs, (header) => isHeaderOf(identity, header))
    if (expired > 0) log.warn(`Old spool files of other keys or another address were removed: ${expired}.`)
    this.#othersSize = directory.size() - this.#files.reduce((sum, { size }) => sum + size, 0)
    for (const file of this.#files) if (file !== this.#current) this.dropOld(file)
    this.#mayClaim = true
  }

  /** While the process ends, every write is synchronous. */
  set isEnding(isEnding: boolean) {
    this.#isEnding = isEnding
    for (const { segment } of this.#files) if (segment) segment.isSync = isEnding
  }

  /** Leaves the files to the next process. */
  close(): void {
    this.isEnding = true
    for (const { path, segment, isEmpty } of this.#files.splice(0)) {
      segment?.close()
      if (isEmpty) this.#parts.directory.remove(path)
      else this.#parts.directory.leave(path)
    }
    this.#current = undefined
  }

  #claim(): SpoolFile | undefined {
    const { directory, identity } = this.#parts
    const found = this.#mayClaim ? directory.claim((header) => isHeaderOf(identity, header)) : undefined
    this.#mayClaim = found !== undefined
    if (!found) return undefined
    this.#othersSize -= found.size
    const file = new SpoolFile(found.path, undefined, found.size)
    this.#files.push(file)
    return file
  }

  #newFile(path: string): SpoolFile {
    const segment = new Segment(path, this.#parts)
    segment.isSync = this.#isEnding
    const file = new SpoolFile(path, segment)
    this.#files.push(file)
    return file
  }

  get #pendingSize(): number {
    return this.#files.reduce((sum, { segment }) => sum + (segment?.pendingSize ?? 0), 0)
  }

  get #size(): number {
    return this.#files.reduce((sum, { size }) => sum + size, this.#othersSize)
  }
}
