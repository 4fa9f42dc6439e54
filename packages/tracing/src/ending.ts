import type { Context, TimeInput } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { boundedText } from '@svc/core/bounded-json'
import { cancelEndWhenCollected, type OpenCall, trackWeakly, untrack } from '@svc/core/open-calls'
import { type MissingEnd, SpanLife } from '@svc/core/span-life'
import { CollectedOutput } from './collected-output.ts'

/** What becomes of an observation while its result is followed. */
export interface Recorder {
  /** Whether output is wanted at all. */
  readonly captureOutput: boolean
  /** The text of the result, or of what it brought piece by piece. */
  output(text: string | undefined): void
  /** @param hasOutput whether some output was recorded before */
  failed(error: unknown, hasOutput: boolean): void
  /** The process does not wait for the result. */
  endAtExit(): void
  /** @param at a number is milliseconds, as of `performance.now()`; default now */
  end(at?: TimeInput): void
}

/** The one end of an observation, however its result comes to it. Nothing in here throws. */
export class Ending extends SpanLife {
  /** What the work runs in. */
  readonly context: Context
  readonly #recorder: Recorder
  #collected: CollectedOutput | undefined
  #isAwaited = false
  #tracked: OpenCall | undefined

  constructor(context: Context, recorder: Recorder) {
    super()
    this.context = context
    this.#recorder = recorder
  }

  /** There is a result, whole. */
  settle(value: unknown): void {
    this.finish(() => this.#recorder.captureOutput && this.#recorder.output(boundedText(value)))
  }

  /** One piece of the result. */
  hear(piece: unknown): void {
    if (this.ended) return
    this.touchChunk()
    if (!this.#recorder.captureOutput) return
    this.#collected ??= new CollectedOutput()
    attempt('hear a piece of a result', () => this.#collected?.add(piece))
  }

  /** The result has brought everything, or the application wants no more of it. */
  done(): void {
    this.finish(() => this.#recordCollected())
  }

  fail(error: unknown): void {
    this.finish(() => this.#recorder.failed(error, this.#recordCollected()))
  }

  /** The result is not there yet, but it will come by itself. */
  expect(): void {
    if (this.ended) return
    if (this.#isAwaited) cancelEndWhenCollected(this)
    this.#isAwaited = true
    this.#tracked ??= trackWeakly(this)
  }

  /** The result comes only if `reader` is read. Without it the observation ended with the last piece, if any. */
  expectFrom(reader: object): void {
    if (this.ended) return
    this.expect()
    if (!this.hasChunk) this.touch()
    this.endWithReader(reader)
  }

  protected endWithout(missing: MissingEnd): void {
    this.finish(() => {
      this.#recordCollected()
      if (missing === 'unfinished') this.#recorder.endAtExit()
    }, this.endTime(missing))
  }

  #recordCollected(): boolean {
    const output = this.#collected?.output
    if (output !== undefined) this.#recorder.output(output)
    return output !== undefined
  }

  protected close(at: TimeInput | undefined): void {
    if (this.#tracked) untrack(this.#tracked)
    this.#recorder.end(at)
  }
}
