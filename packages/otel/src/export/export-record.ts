import type { ExportHealth } from './export-queue.ts'

/** What became of what was sent last. */
export class ExportRecord {
  #lastSuccess: ExportHealth['lastSuccess']
  #lastFailure: ExportHealth['lastFailure']

  succeeded(): void {
    this.#lastSuccess = Date.now()
  }

  failed(reason: string): void {
    this.#lastFailure = { at: Date.now(), reason }
  }

  read(): Pick<ExportHealth, 'lastSuccess' | 'lastFailure'> {
    return { lastSuccess: this.#lastSuccess, lastFailure: this.#lastFailure }
  }
}
