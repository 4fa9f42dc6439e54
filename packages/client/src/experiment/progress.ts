import { foreignText } from '@svc/core/foreign-text'
import { getGlobalLogger, LogLevel } from '@svc/core/log'

/** The output of the progress line: stderr, if it is a terminal. */
export interface ProgressTerminal {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

/** Shorter runs show no progress. */
const LONG_RUN_MS = 2_000
const BETWEEN_LINES_MS = 100
const CLEAR_LINE = '\r\u001B[2K'

/** Shows the progress of a long run in one line of a terminal, and removes it at the end. */
export class Progress {
  readonly #line: (done: number, failed: number) => string
  readonly #now: () => number
  readonly #terminal: ProgressTerminal | undefined
  readonly #began: number
  #written = Number.NEGATIVE_INFINITY
  #done = 0
  #failed = 0

  constructor(
    { name, total }: { readonly name: string; readonly total: number },
    now: () => number,
    terminal: ProgressTerminal | undefined = globalThis.process?.stderr,
  ) {
    this.#line = (done, failed) =>
      `svc: experiment "${foreignText(name, 60)}": ${done} of ${total} items${failed > 0 ? `, ${failed} failed` : ''}`
    this.#now = now
    this.#terminal = terminal?.isTTY && getGlobalLogger().isLevelEnabled(LogLevel.INFO) ? terminal : undefined
    this.#began = now()
  }

  /** Called when an item is done. */
  step(failed: boolean): void {
    this.#done += 1
    if (failed) this.#failed += 1
    const now = this.#now()
    if (now - this.#began < LONG_RUN_MS || now - this.#written < BETWEEN_LINES_MS) return
    this.#written = now
    this.#terminal?.write(CLEAR_LINE + this.#line(this.#done, this.#failed))
  }

  end(): void {
    if (this.#written >= 0) this.#terminal?.write(CLEAR_LINE)
  }
}
