import { foreignText } from '@svc/core/foreign-text'
import { write } from '../../output.ts'
import { statusLine, type Terminal } from '../../terminal.ts'
import { counted } from './counted.ts'

const BETWEEN_MS = 100
const CELLS = 24

/** Shows progress: a bar with rate and remaining time on a terminal, else a line for each tenth. */
export class Bar {
  readonly #terminal: Terminal
  readonly #shown: ReturnType<typeof statusLine>
  readonly #now: () => number
  readonly #began: number
  readonly #label: string
  readonly #total: number
  readonly #first: number
  #done: number
  #drawn = Number.NEGATIVE_INFINITY
  #tenth: number

  /** @param done number of items done by an earlier run */
  constructor(
    label: string,
    { total, done = 0 }: { total: number; done?: number },
    terminal: Terminal = process.stderr,
    now = Date.now,
  ) {
    this.#label = foreignText(label, 30)
    this.#total = total
    this.#first = done
    this.#done = done
    this.#tenth = this.#tenthOf(done)
    this.#terminal = terminal
    this.#shown = statusLine(terminal)
    this.#now = now
    this.#began = now()
  }

  step(): void {
    this.#done += 1
    if (this.#terminal.isTTY) this.#draw()
    else this.#line()
  }

  #draw(): void {
    if (this.#now() - this.#drawn < BETWEEN_MS) return
    this.#drawn = this.#now()
    this.#shown.show(this.#text())
  }

  end(): void {
    this.#shown.clear()
  }

  #text(): string {
    const share = Math.min(1, this.#done / Math.max(1, this.#total))
    const full = Math.round(share * CELLS)
    const bar = '#'.repeat(full) + '-'.repeat(CELLS - full)
    const percent = `${Math.floor(share * 100)}%`
    return `${this.#label} [${bar}] ${percent} ${counted(this.#done)}/${counted(this.#total)} ${this.#pace()}`
  }

  #pace(): string {
    const perSecond = ((this.#done - this.#first) * 1_000) / Math.max(1, this.#now() - this.#began)
    const left = Math.ceil((this.#total - this.#done) / perSecond)
    return `${counted(Math.round(perSecond))}/s ${Number.isFinite(left) ? duration(left) : '?'} left`
  }

  #line(): void {
    const tenth = this.#tenthOf(this.#done)
    if (tenth === this.#tenth) return
    this.#tenth = tenth
    write(this.#terminal, `${this.#label}: ${tenth * 10}% (${counted(this.#done)} of ${counted(this.#total)})\n`)
  }

  #tenthOf(done: number): number {
    return Math.floor((done * 10) / Math.max(1, this.#total))
  }
}

/** `7 s`, `3 min`, `2 h 5 min` */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
