import { foreignText } from '@svc/core/foreign-text'
import { inPool } from '@svc/core/pool'
import { Failure } from '../../failure.ts'
import { statusLine } from '../../terminal.ts'
import { Bar } from './bar.ts'
import { counted } from './counted.ts'
import type { ImportProgress, Journal } from './journal.ts'
import { type Mapped, type MapRow, mapped } from './mapping.ts'
import type { DatasetRow } from './row.ts'
import type { Source } from './source.ts'
import type { TargetProject } from './target.ts'

/** Arguments of {@link DatasetImport}. */
export interface DatasetImportParts {
  readonly id: string
  /** Name of the dataset in the service. */
  readonly name: string
  readonly source: Source
  readonly target: TargetProject
  readonly own: MapRow | undefined
  readonly journal: Journal
  /** Number of items written concurrently. */
  readonly concurrency: number
  /** Stops the import; the items written so far are recorded. */
  readonly signal: AbortSignal
}

/** The result of an import. */
export interface Imported {
  readonly name: string
  readonly progress: ImportProgress
  /** Number of items in the dataset afterwards. */
  readonly count: number
  /** Some of the items that the service rejected in this run, with the reasons. */
  readonly refusals: readonly string[]
}

const SHOWN_REFUSALS = 5
/** After this many rejections without an accepted item, the import stops. */
const HOPELESS = 100

/** The import of one dataset: reads all of it first, then writes it page by page. */
export class DatasetImport {
  readonly #parts: DatasetImportParts
  readonly #refusals: string[] = []
  #rows = 0
  #refused = 0
  #taken = 0

  constructor(parts: DatasetImportParts) {
    this.#parts = parts
  }

  /**
   * Reads, maps and counts every row, so that nothing is written of a dataset that cannot be read completely. Skipped
   * if an earlier run did it.
   *
   * @throws {Failure}
   */
  async survey(): Promise<void> {
    const { id, name, source, own, journal } = this.#parts
    if (journal.progress) return
    const status = statusLine()
    for await (const { rows } of source.rows(id)) {
      for (const row of rows) await mapped(row, id, own)
      this.#rows += rows.length
      status.show(`reading ${foreignText(name, 30)}: ${counted(this.#rows)} rows`)
    }
    status.clear()
  }

  /** Writes the remaining items, and counts them. @throws {Failure}, or the reason of the signal */
  async copy(): Promise<Imported> {
    const { name, target, journal } = this.#parts
    const progress = await this.#copied(journal.progress ?? (await this.#start()))
    const count = await target.count(name)
    journal.end()
    return { name, progress, count, refusals: this.#refusals }
  }

  async #start(): Promise<ImportProgress> {
    const { name, target, journal } = this.#parts
    await target.create(name)
    const before = await target.count(name)
    const nothing = { done: 0, leftOut: 0, refused: 0, madeIds: 0, times: 0, annotations: 0 }
    const progress = { rows: this.#rows, before, ...nothing, complete: false }
    journal.turn(progress)
    return progress
  }

  async #copied(start: ImportProgress): Promise<ImportProgress> {
    const { id, name, source, journal } = this.#parts
    if (start.complete) return start
    const bar = new Bar(name, { total: start.rows, done: start.done })
    let progress = start
    try {
      for await (const { rows, next } of source.rows(id, start.cursor)) {
        const page = await this.#write(rows, bar)
        progress = after(progress, page, next)
        journal.turn(progress)
      }
    } finally {
      bar.end()
    }
    return progress
  }

  async #write(rows: readonly DatasetRow[], bar: Bar): Promise<Written> {
    const { id, name, target, own, journal, concurrency, signal } = this.#parts
    const refusedBefore = this.#refused
    const all = await inPool(rows, concurrency, async (row) => {
      const each = await mapped(row, id, own)
      if (each.item && !journal.isWritten(each.item.id)) {
        signal.throwIfAborted()
        this.#note(each.item.id, await target.write(name, each.item))
      }
      bar.step()
      return each
    })
    return { all, refused: this.#refused - refusedBefore }
  }

  #note(id: string, refusal: string | undefined): void {
    if (refusal === undefined) {
      this.#taken += 1
      this.#parts.journal.write(id)
      return
    }
    this.#refused += 1
    if (this.#refusals.length < SHOWN_REFUSALS) this.#refusals.push(`${foreignText(id, 80)}: ${refusal}`)
    if (this.#taken === 0 && this.#refused >= HOPELESS)
      throw new Failure(`the service rejects all items of "${foreignText(this.#parts.name, 80)}": ${refusal}`)
  }
}

interface Written {
  readonly all: readonly Mapped[]
  readonly refused: number
}

function after(progress: ImportProgress, { all, refused }: Written, next: string | undefined): ImportProgress {
  const { cursor: _, ...counts } = progress
  const count = (is: (each: Mapped) => boolean) => all.filter(is).length
  return {
    ...counts,
    done: progress.done + all.length,
    leftOut: progress.leftOut + count(({ item }) => item === undefined),
    refused: progress.refused + refused,
    madeIds: progress.madeIds + count(({ madeId }) => madeId),
    times: progress.times + count(({ times }) => times),
    annotations: progress.annotations + count(({ annotations }) => annotations),
    ...(next === undefined ? {} : { cursor: next }),
    complete: next === undefined,
  }
}
