import type { Context, TimeInput } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { boundedText } from '@svc/core/bounded-json'
import { cancelEndWhenCollected, type OpenCall, trackWeakly, untrack } from '@svc/core/open-calls'
import { type MissingEnd, SpanLife } from '@svc/core/span-life'
import { CollectedOutput } from './collected-output.ts'

/** Writes what is found out about a result to its observation. */
export interface Recorder {
  readonly captureOutput: boolean
  /** Records the result as text, or its collected chunks. */
  output(text: string | undefined): void
  /** @param hasOutput whether some output was recorded before */
  failed(error: unknown, hasOutput: boolean): void
  /** Called when the process ends before the result is there. */
  endAtExit(): void
  /** @param at a number is milliseconds, as of `performance.now()`; default now */
  end(at?: TimeInput): void
}

/**
 * Follows one kind of result to its end.
 *
 * @returns what the application receives: the result itself where possible; undefined for any other kind of result
 */
export type Follower = (result: object, ending: Ending) => object | undefined

/** Ends an observation once, whatever kind of result it has. No method throws. */
export class Ending extends SpanLife {
  /** The context in which the work runs. */
  readonly context: Context
  /** The kinds of results that are followed, in order of precedence. */
  readonly followers: readonly Follower[]
  readonly #recorder: Recorder
  #collected: CollectedOutput | undefined
  #isAwaited = false
  #tracked: OpenCall | undefined

  constructor(context: Context, recorder: Recorder, followers: readonly Follower[]) {
    super()
    this.context = context
    this.followers = followers
    this.#recorder = recorder
  }

  /** Called with a complete result. */
  settle(value: unknown): void {
    this.finish(() => this.#recorder.captureOutput && this.#recorder.output(boundedText(value)))
  }

  /** Called with each chunk of the result. */
  onChunk(piece: unknown): void {
    if (this.ended) return
    this.touchChunk()
    if (!this.#recorder.captureOutput) return
    this.#collected ??= new CollectedOutput()
    attempt('read a chunk of a result', () => this.#collected?.add(piece))
  }

  /** Called when the result has ended, or the application stopped reading it. */
  done(): void {
    this.finish(() => this.#recordCollected())
  }

  fail(error: unknown): void {
    this.finish(() => this.#recorder.failed(error, this.#recordCollected()))
  }

  /** Called for a pending result that needs no reader. */
  expect(): void {
    if (this.ended) return
    if (this.#isAwaited) cancelEndWhenCollected(this)
    this.#isAwaited = true
    this.#tracked ??= trackWeakly(this)
  }

  /**
   * Called for a result that arrives only while `reader` is read. If `reader` is collected unread, the observation ends
   * with the time of the last chunk.
   */
  expectFrom(reader: object): void {
    if (this.ended) return
    this.expect()
    if (!this.hasChunk) this.touch()
    this.endWithReader(reader)
  }

  endWithout(missing: MissingEnd): void {
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
