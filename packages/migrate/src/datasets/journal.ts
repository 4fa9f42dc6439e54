import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@svc/core/log'
import { Obstacle } from './obstacle.ts'

/** How far an import of one dataset came. */
export interface Progress {
  /** Rows of the source, as they were counted before the first was written. */
  readonly rows: number
  /** Rows that the mapping leaves behind. */
  readonly leftOut: number
  /** Rows whose id is made of their content. */
  readonly madeIds: number
  readonly times: number
  readonly annotations: number
  /** Items that the dataset had before. */
  readonly before: number
  /** Rows of the pages that are done. */
  readonly done: number
  /** Items among them that the service did not take. */
  readonly refused: number
  /** The page under way; undefined: the first. */
  readonly cursor?: string
  /** No page is left. */
  readonly complete: boolean
}

/**
 * A file that says how far an import came: a line of {@link Progress} with the page under way, then the id of each item
 * of that page which is written. So it stays small, and a process that is killed loses nothing of it.
 */
export class Journal {
  readonly #folder: string
  readonly #file: string
  #progress: Progress | undefined
  #written: Set<string>

  /** @param about what tells this import from others: source, dataset, target, name */
  constructor(folder: string, about: readonly string[], { restart = false }: { restart?: boolean } = {}) {
    this.#folder = folder
    this.#file = join(folder, `${createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 16)}.jsonl`)
    if (restart) rmSync(this.#file, { force: true })
    const [first, ...ids] = linesOf(this.#file)
    this.#progress = first as Progress | undefined
    this.#written = new Set(ids as string[])
  }

  /** How far an earlier run came; undefined when there was none. */
  get progress(): Progress | undefined {
    return this.#progress
  }

  /** Whether this item of the page under way is written. */
  isWritten(id: string): boolean {
    return this.#written.has(id)
  }

  get writtenOfPage(): number {
    return this.#written.size
  }

  /** Notes an item of the page under way. */
  write(id: string): void {
    this.#written.add(id)
    appendFileSync(this.#file, `${JSON.stringify(id)}\n`)
  }

  /** Begins the import, or its next page. @throws {Obstacle} when the file cannot be written */
  turn(progress: Progress): void {
    try {
      mkdirSync(this.#folder, { recursive: true })
      // In the place of the other at once, or not at all.
      writeFileSync(`${this.#file}.new`, `${JSON.stringify(progress)}\n`)
      renameSync(`${this.#file}.new`, this.#file)
    } catch (error) {
      throw new Obstacle(
        `${this.#folder} cannot be written, where it stands how far the import came: ${messageOf(error)}`,
      )
    }
    this.#progress = progress
    this.#written = new Set()
  }

  /** Forgets an import that is done. */
  end(): void {
    rmSync(this.#file, { force: true })
    try {
      rmdirSync(this.#folder)
    } catch {
      // Other imports have their files there.
    }
  }
}

/** The lines of a file. One that was cut short by the end of its process is none, and stays a line of its own. */
function linesOf(file: string): unknown[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return []
  }
  if (!text.endsWith('\n')) appendFileSync(file, '\n')
  return text.split('\n').flatMap((line, at) => {
    try {
      return [JSON.parse(line)]
    } catch {
      // The first line is the one that all the others are about.
      return at === 0 ? [undefined] : []
    }
  })
}
