import { createHash } from 'node:crypto'
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@svc/core/log'
import { Failure } from '../../failure.ts'

/** The progress of the import of one dataset. */
export interface ImportProgress {
  /** Rows of the source, counted before the first was written. */
  readonly rows: number
  /** Rows that the mapping skipped. */
  readonly leftOut: number
  /** Rows whose id is a hash of their content. */
  readonly madeIds: number
  readonly times: number
  readonly annotations: number
  /** Items in the dataset before the import. */
  readonly before: number
  /** Rows of completed pages. */
  readonly done: number
  /** Items among them that the service rejected. */
  readonly refused: number
  /** Cursor of the current page; undefined for the first. */
  readonly cursor?: string
  /** True after the last page. */
  readonly complete: boolean
}

/**
 * The progress file of an import: a line with {@link ImportProgress}, then the id of each written item of the current page.
 * It stays small, and survives a killed process.
 */
export class Journal {
  readonly #folder: string
  readonly #file: string
  #progress: ImportProgress | undefined
  #written: Set<string>

  /** @param about identifies the import: source, dataset, target, name */
  constructor(folder: string, about: readonly string[], { restart = false }: { restart?: boolean } = {}) {
    this.#folder = folder
    this.#file = join(folder, `${createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 16)}.jsonl`)
    if (restart) rmSync(this.#file, { force: true })
    const [first, ...ids] = linesOf(this.#file)
    this.#progress = first as ImportProgress | undefined
    this.#written = new Set(ids as string[])
  }

  /** Progress of an earlier run; undefined if there was none. */
  get progress(): ImportProgress | undefined {
    return this.#progress
  }

  /** Whether this item of the current page is written. */
  isWritten(id: string): boolean {
    return this.#written.has(id)
  }

  get writtenOfPage(): number {
    return this.#written.size
  }

  /** Records a written item of the current page. */
  write(id: string): void {
    this.#written.add(id)
    appendFileSync(this.#file, `${JSON.stringify(id)}\n`)
  }

  /** Starts the import, or its next page. @throws {Failure} if the file cannot be written */
  turn(progress: ImportProgress): void {
    try {
      if (lstatSync(this.#folder, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error('it is a link')
      mkdirSync(this.#folder, { recursive: true })
      // Replaces the file atomically. A folder of strangers may have links of these names.
      rmSync(`${this.#file}.new`, { force: true })
      writeFileSync(`${this.#file}.new`, `${JSON.stringify(progress)}\n`, { flag: 'wx' })
      renameSync(`${this.#file}.new`, this.#file)
    } catch (error) {
      throw new Failure(`${this.#folder} cannot be written, which is needed for the progress: ${messageOf(error)}`)
    }
    this.#progress = progress
    this.#written = new Set()
  }

  /** Deletes the file of a completed import. */
  end(): void {
    rmSync(this.#file, { force: true })
    try {
      rmdirSync(this.#folder)
    } catch {
      // The folder has files of other imports.
    }
  }
}

/** Returns the parsed lines of a file, without a line that was cut off when its process ended. */
function linesOf(file: string): unknown[] {
  let text: string
  try {
    if (!lstatSync(file).isFile()) return []
    text = readFileSync(file, 'utf8')
  } catch {
    return []
  }
  if (!text.endsWith('\n')) appendFileSync(file, '\n')
  return text.split('\n').flatMap((line, at) => {
    try {
      return [JSON.parse(line)]
    } catch {
      // The first line is required.
      return at === 0 ? [undefined] : []
    }
  })
}
