// biome-ignore lint/suspicious/noTsIgnore: there is an error only without the types of Node.
/** @ts-ignore: this declaration also has to compile without the types of Node. */
import type * as Fs from 'node:fs'
import { builtin } from '../../builtin.ts'
import { hostProcess } from '../../host-process.ts'
import { log } from '../../log.ts'
import { checkAbove, checkOwnFile, NotOurs, openOwnFile, ownFolder } from '../../own-files.ts'
import { HEADER_SIZE } from './format.ts'

/** Milliseconds without a touch after which a file counts as abandoned. Its owner touches it every minute. */
const ABANDONED_MS = 600_000

/** Threads of one process may compute different start times: some systems count in whole seconds. */
const START_TOLERANCE_MS = 1_500

/** Most bytes of a file that is read: a few times what a process writes into one. */
const LONGEST = 64 * 1_048_576

/** The writing process: file names begin with it. */
export interface Owner {
  /** Identifies the machine or container, because several may share the folder. */
  readonly host: string
  readonly pid: number
  readonly thread: number
  /** Start of the process, in milliseconds since boot: distinguishes it from an earlier process with the same id. */
  readonly start: number
}

/** A file of the folder. */
export interface SpoolFileInfo {
  readonly path: string
  readonly size: number
}

/**
 * The folder that processes share. Each process writes its own files, and takes over those of processes that ended, by
 * renaming them: only one process can succeed.
 */
export class SpoolDirectory {
  readonly #fs: typeof Fs
  readonly #folder: string
  readonly #owner: Owner
  /** Distinguishes files of several pipelines in one thread. */
  readonly #tag = Math.random().toString(36).slice(2, 8)
  #files = 0

  /** Creates the folder. @throws if it cannot be created, is not writable, or other users can write to it */
  constructor(folder: string, owner: Owner, fs: typeof Fs) {
    this.#fs = fs
    this.#owner = owner
    if (!fs.lstatSync(folder, { throwIfNoEntry: false })) makeFolder(fs, folder)
    this.#folder = ownFolder(fs, folder)
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.R_OK | fs.constants.X_OK)
  }

  /** Returns the path of a new file. */
  newPath(): string {
    const { host, pid, thread, start } = this.#owner
    return `${this.#folder}/${host}-${pid}-${thread}-${start}-${this.#tag}${this.#files++}.open`
  }

  /**
   * Takes over one file of a process that ended; undefined if there is none.
   *
   * @param isWanted called with the header of the file
   */
  claim(isWanted: (header: Uint8Array) => boolean, now: number = Date.now()): SpoolFileInfo | undefined {
    for (const name of this.#names()) {
      const from = `${this.#folder}/${name}`
      const path = this.newPath()
      try {
        if (!this.#isAbandoned(name, from, now) || !isWanted(this.#headerOf(from))) continue
        // Touch it first, so that after the renaming other processes see that it has an owner.
        this.touch([from], now)
        this.#fs.renameSync(from, path)
        return { path, size: this.#fs.lstatSync(path).size }
      } catch (error) {
        // Another process was faster, or this process may not read the file.
        skip(error)
      }
    }
    return undefined
  }

  /** Leaves a file to the next process. */
  leave(path: string): void {
    this.#try(() => this.#fs.renameSync(path, path.replace(/open$/, 'left')))
  }

  remove(path: string): void {
    this.#try(() => this.#fs.unlinkSync(path))
  }

  /**
   * Removes files that no process took over within `maxAgeMs`.
   *
   * @param isKept called with the header of a file
   * @returns how many
   */
  expire(maxAgeMs: number, isKept: (header: Uint8Array) => boolean, now: number = Date.now()): number {
    let removed = 0
    for (const name of this.#names()) {
      const path = `${this.#folder}/${name}`
      this.#try(() => {
        if (now - this.#fs.lstatSync(path).mtimeMs <= Math.max(maxAgeMs, ABANDONED_MS)) return
        if (isKept(this.#headerOf(path))) return
        this.#fs.unlinkSync(path)
        removed += 1
      })
    }
    return removed
  }

  /** Marks these files as owned. */
  touch(paths: Iterable<string>, now: number = Date.now()): void {
    for (const path of paths) this.#try(() => this.#fs.utimesSync(path, now / 1_000, now / 1_000))
  }

  /** Returns the bytes of all files, of any process, without those that are not used. */
  size(): number {
    let size = 0
    for (const name of this.#names()) {
      this.#try(() => {
        const path = `${this.#folder}/${name}`
        const stats = this.#fs.lstatSync(path)
        checkOwnFile(path, stats, LONGEST)
        size += stats.size
      })
    }
    return size
  }

  /** Opens a file for reading. @throws if it is not a regular file of this user, or is longer than any that is written */
  open(path: string): number {
    return openOwnFile(this.#fs, path, LONGEST)
  }

  #headerOf(path: string): Uint8Array {
    const header = new Uint8Array(HEADER_SIZE)
    const file = this.open(path)
    try {
      this.#fs.readSync(file, header, 0, HEADER_SIZE, 0)
    } finally {
      this.#fs.closeSync(file)
    }
    return header
  }

  #names(): string[] {
    try {
      return this.#fs.readdirSync(this.#folder).filter((name) => NAME.test(name))
    } catch {
      return []
    }
  }

  #isAbandoned(name: string, path: string, now: number): boolean {
    const [, host, pid, start, state] = NAME.exec(name) ?? []
    if (state === 'left') return true
    if (host === this.#owner.host) {
      if (Number(pid) === this.#owner.pid) return Math.abs(Number(start) - this.#owner.start) > START_TOLERANCE_MS
      if (!isAlive(Number(pid))) return true
    }
    try {
      return now - this.#fs.lstatSync(path).mtimeMs > ABANDONED_MS
    } catch {
      return false
    }
  }

  #try(work: () => void): void {
    try {
      work()
    } catch (error) {
      // The file or the folder was removed.
      skip(error)
    }
  }
}

/** Not `recursive`: Node never comes back where the system creates nothing in a folder that exists, such as `/proc`. */
function makeFolder(fs: typeof Fs, folder: string, hasParent = false): void {
  try {
    checkAbove(fs, folder)
    fs.mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const parent = builtin('node:path')?.dirname(folder) ?? folder
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !hasParent && parent !== folder) {
      makeFolder(fs, parent)
      makeFolder(fs, folder, true)
    } else if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw error
    }
  }
}

function skip(error: unknown): void {
  if (error instanceof NotOurs) log.once('warn', `A file of the spool is not used: ${error.message}.`)
}

/** `open`: of a running process. `left`: of one that ended normally. */
const NAME = /^([0-9a-f]+)-(\d+)-\d+-(\d+)-[0-9a-z]+\.(open|left)$/

function isAlive(pid: number): boolean {
  try {
    hostProcess()?.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
