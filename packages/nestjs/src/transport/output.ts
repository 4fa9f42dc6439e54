import { StreamableFile } from '@nestjs/common'
import { attempt } from '@svc/core/attempt'
import { boundedText } from '@svc/core/bounded-json'
import { CollectedOutput, Ending, FOLLOWERS, follow, type Recorder } from '@svc/tracing/adapters'
import type { Work } from './within.ts'

/** What may have a body in pieces. */
type Streaming = Pick<Work, 'scope'> & Partial<Pick<Work, 'threw'>>

/** Records the results of a handler as output of its root: one value as it is, several as text or list. */
export class HandlerOutput {
  readonly #work: Streaming
  #only: { readonly value: unknown } | undefined
  #collected: CollectedOutput | undefined

  constructor(work: Streaming) {
    this.#work = work
  }

  /** @returns the value, or what stands in its place to see what comes out of it */
  add(value: unknown): unknown {
    const followed = followBody(value, this.#work, true)
    if (followed === undefined) attempt('collect a value', () => this.#add(value))
    return followed ?? value
  }

  end(): void {
    const [collected, only] = [this.#collected, this.#only]
    if (collected || only)
      this.#work.scope.capture('output', () => (collected ? collected.output : boundedText(only?.value)))
  }

  #add(value: unknown): void {
    if (!this.#only && !this.#collected) {
      this.#only = { value }
      return
    }
    this.#collected ??= new CollectedOutput()
    if (this.#only) this.#collected.add(this.#only.value)
    this.#only = undefined
    this.#collected.add(value)
  }
}

/**
 * Follows a body in pieces, which are still to come when the handler is done. If it fails, `work` gets the error: the
 * response shows only a closed connection, as if the client had left. Never throws.
 *
 * @returns what stands in the place of the body; undefined for a value that is whole
 */
export function followBody(value: unknown, work: Streaming, captureOutput: boolean): unknown {
  return attempt('follow a body', followIn, value, work, captureOutput)
}

function followIn(value: unknown, work: Streaming, captureOutput: boolean): unknown {
  const stream = streamIn(value)
  if (!stream) return undefined
  const { scope } = work
  const nothing = () => {}
  const recorder: Recorder = {
    captureOutput,
    output: (text) => scope.capture('output', () => text),
    failed: (error) => work.threw?.(error),
    endAtExit: nothing,
    end: nothing,
  }
  const followed = follow(stream, new Ending(scope.workContext, recorder, FOLLOWERS))
  if (stream === value) return followed
  // Where streams are native, another is read in the place of the one of a response, which is locked.
  return value instanceof Response && followed !== stream ? new Response(followed as ReadableStream, value) : value
}

/** Returns the source of a body in pieces: a stream, a generator, or that of a StreamableFile or a web Response. */
function streamIn(value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value instanceof StreamableFile) return value.getStream()
  if (value instanceof Response) return value.body ?? undefined
  return Symbol.asyncIterator in value ? value : undefined
}
