import type { Context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { boundedText } from '@svc/core/bounded-json'
import { abandonWithout, forget, keepWithoutReader, type OpenCall, rememberWeakly } from '@svc/core/open-calls'
import { CollectedOutput } from './collected-output.ts'

/** What becomes of an observation while its result is followed. */
export interface Recorder {
  /** Whether output is wanted at all. */
  readonly captureOutput: boolean
  /** The text of the result, or of what it brought piece by piece. */
  output(text: string | undefined): void
  /** @param told whether some output was recorded before */
  failed(error: unknown, told: boolean): void
  /** The process does not wait for the result. */
  cutShort(): void
  /** @param at milliseconds since 1970; default now */
  end(at?: number): void
}

/** The one end of an observation, however its result comes to it. Nothing in here throws. */
export class Ending implements OpenCall {
  /** What the work runs in. */
  readonly context: Context
  readonly #recorder: Recorder
  #heard: CollectedOutput | undefined
  /** By the clock that only measures: Next refuses to prerender a page in which it sees the other one read. */
  #lastSign: number | undefined
  #isAwaited = false
  #open: OpenCall | undefined
  #over = false

  constructor(context: Context, recorder: Recorder) {
    this.context = context
    this.#recorder = recorder
  }

  /** There is a result, whole. */
  settle(value: unknown): void {
    this.#finish(() => this.#recorder.captureOutput && this.#recorder.output(boundedText(value)))
  }

  /** One piece of the result. */
  hear(piece: unknown): void {
    if (this.#over) return
    this.#lastSign = performance.now()
    if (!this.#recorder.captureOutput) return
    this.#heard ??= new CollectedOutput()
    attempt('hear a piece of a result', () => this.#heard?.add(piece))
  }

  /** The result has brought everything, or the application wants no more of it. */
  done(): void {
    this.#finish(() => this.#recordHeard())
  }

  fail(error: unknown): void {
    this.#finish(() => this.#recorder.failed(error, this.#recordHeard()))
  }

  abandon(): void {
    const silence = this.#lastSign === undefined ? undefined : performance.now() - this.#lastSign
    this.#finish(() => this.#recordHeard(), silence === undefined ? undefined : Date.now() - silence)
  }

  cutShort(): void {
    this.#finish(() => {
      this.#recordHeard()
      this.#recorder.cutShort()
    })
  }

  /** The result is not there yet, but it will come by itself. */
  expect(): void {
    if (this.#over) return
    if (this.#isAwaited) keepWithoutReader(this)
    this.#isAwaited = true
    this.#open ??= rememberWeakly(this)
  }

  /** The result comes only if `reader` is read. Without it the observation ended with the last sign of life. */
  expectFrom(reader: object): void {
    if (this.#over) return
    this.expect()
    this.#lastSign ??= performance.now()
    abandonWithout(reader, this)
  }

  #recordHeard(): boolean {
    const output = this.#heard?.output
    if (output !== undefined) this.#recorder.output(output)
    return output !== undefined
  }

  #finish(record: () => unknown, at?: number): void {
    if (this.#over) return
    this.#over = true
    if (this.#isAwaited) keepWithoutReader(this)
    if (this.#open) forget(this.#open)
    attempt('record a result', record)
    this.#recorder.end(at)
  }
}
