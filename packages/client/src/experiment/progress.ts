import { getGlobalLogger, LogLevel } from '@svc/core/log'

/** Where a progress line can be written: stderr, if it is a terminal. */
export interface Terminal {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

/** A run that is over sooner needs no progress. */
const LONG_RUN_MS = 2_000
const BETWEEN_LINES_MS = 100
const CLEAR_LINE = '\r\u001B[2K'

/** A line on a terminal that says how far a long run has come. It is gone when the run has ended. */
export class Progress {
  readonly #line: (done: number, failed: number) => string
  readonly #now: () => number
  readonly #terminal: Terminal | undefined
  readonly #began: number
  #written = Number.NEGATIVE_INFINITY
  #done = 0
  #failed = 0

  constructor(
    { name, total }: { readonly name: string; readonly total: number },
    now: () => number,
    terminal: Terminal | undefined = globalThis.process?.stderr,
  ) {
    this.#line = (done, failed) =>
      `svc: experiment "${printable(name)}": ${done} of ${total} items${failed > 0 ? `, ${failed} failed` : ''}`
    this.#now = now
    this.#terminal = terminal?.isTTY && getGlobalLogger().isLevelEnabled(LogLevel.INFO) ? terminal : undefined
    this.#began = now()
  }

  /** One more item is done. */
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

// Names come from anywhere; a terminal must not obey them.
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '·').slice(0, 60)
