// biome-ignore lint/suspicious/noTsIgnore: there is an error only without the types of Node.
/** @ts-ignore: this declaration also has to compile without the types of Node. */
import type * as Fs from 'node:fs'
import { type Crc32, HEAD_SIZE, HEADER_SIZE, headerOf, headOf, type SpoolIdentity, type SpoolRecord } from './format.ts'

/** Arguments of a segment. */
export interface SegmentParts {
  readonly fs: typeof Fs
  readonly crc32: Crc32
  readonly identity: SpoolIdentity
}

/** Callbacks for the outcome of a write. */
export interface Written {
  readonly onWritten?: () => void
  readonly onFailed: (error: Error) => void
}

interface Write extends Written {
  readonly bytes: readonly Uint8Array[]
  readonly size: number
  readonly position: number
}

/**
 * A spool file that is being written: records are appended, asynchronously while the event loop runs. Each write has a
 * fixed position, so that a write in progress when the process ends can be repeated.
 */
export class Segment {
  readonly path: string
  readonly #parts: SegmentParts
  readonly #file: number
  readonly #underWay = new Set<Write>()
  #size = HEADER_SIZE
  #isSync = false
  #isClosed = false
  /** Writes that another thread may still start: the descriptor stays open until then. */
  #pending = 0

  /** Creates the file. @throws if it cannot be created */
  constructor(path: string, parts: SegmentParts) {
    const { fs, identity } = parts
    this.path = path
    this.#parts = parts
    // Readable only by this user: files hold the content of model calls.
    this.#file = fs.openSync(path, 'wx', 0o600)
    try {
      fs.writeSync(this.#file, headerOf(identity), 0, HEADER_SIZE, 0)
    } catch (error) {
      fs.closeSync(this.#file)
      fs.unlinkSync(path)
      throw error
    }
  }

  get size(): number {
    return this.#size
  }

  /** Bytes that are still in memory. */
  get pendingSize(): number {
    let size = 0
    for (const write of this.#underWay) size += write.size
    return size
  }

  append(record: SpoolRecord, body: Uint8Array, written: Written): void {
    if (this.#isClosed) return
    const bytes = [headOf(record, body, this.#parts.crc32), body]
    const size = HEAD_SIZE + body.length
    const write: Write = { ...written, bytes, size, position: this.#size }
    this.#size += size
    if (this.#isSync) this.#writeNow(write)
    else this.#write(write)
  }

  /** Writes everything appended so far synchronously. */
  flush(): void {
    for (const write of this.#underWay) this.#writeNow(write)
    this.#underWay.clear()
  }

  /** Whether `append` returns only when the record is on disk. */
  set isSync(isSync: boolean) {
    this.flush()
    this.#isSync = isSync
  }

  /** Removes all records. @returns whether it did: not while writes are in progress */
  clear(): boolean {
    if (this.#underWay.size > 0) return false
    try {
      this.#parts.fs.ftruncateSync(this.#file, HEADER_SIZE)
      this.#size = HEADER_SIZE
      return true
    } catch {
      return false
    }
  }

  close(): void {
    this.flush()
    this.discard()
  }

  /** Closes the file without waiting for writes in progress. */
  discard(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#underWay.clear()
    this.#release()
  }

  #release(): void {
    if (!this.#isClosed || this.#pending > 0) return
    try {
      this.#parts.fs.closeSync(this.#file)
    } catch {
      // It is closed already.
    }
  }

  #write(write: Write): void {
    this.#underWay.add(write)
    this.#pending += 1
    this.#parts.fs.writev(this.#file, write.bytes, write.position, (error, size) => {
      this.#pending -= 1
      this.#release()
      if (!this.#underWay.delete(write)) return
      if (error) this.#failed(write, error)
      else if (size < write.size) this.#writeNow(write)
      else write.onWritten?.()
    })
  }

  #writeNow(write: Write): void {
    try {
      const size = this.#parts.fs.writevSync(this.#file, write.bytes, write.position)
      if (size < write.size) throw new Error('no space is left')
      write.onWritten?.()
    } catch (error) {
      this.#failed(write, error as Error)
    }
  }

  /** Removes what was written of a failed record, so that no reader finds it and counts it as lost again. */
  #failed({ position, size, onFailed }: Write, error: Error): void {
    const { fs } = this.#parts
    const isLast = position + size === this.#size
    try {
      if (isLast) fs.ftruncateSync(this.#file, position)
      else fs.writeSync(this.#file, new Uint8Array(HEAD_SIZE), 0, HEAD_SIZE, position)
    } catch {
      // The disk accepts no write at all.
    }
    if (isLast) this.#size = position
    onFailed(error)
  }
}
