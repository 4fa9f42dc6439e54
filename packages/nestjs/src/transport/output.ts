import { StreamableFile } from '@nestjs/common'
import { attempt } from '@svc/core/attempt'
import { boundedText } from '@svc/core/bounded-json'
import { CollectedOutput, Ending, FOLLOWERS, follow, type Recorder } from '@svc/tracing/adapters'
import type { Scope } from '../scope/scope.ts'

/** Records the results of a handler as output of its root: one value as it is, several as text or list. */
export class HandlerOutput {
  readonly #scope: Scope
  #only: { readonly value: unknown } | undefined
  #collected: CollectedOutput | undefined

  constructor(scope: Scope) {
    this.#scope = scope
  }

  /** @returns the value, or what stands in its place to see what comes out of it */
  add(value: unknown): unknown {
    const collected = attempt('collect a value', () => {
      const stream = streamIn(value)
      return stream ? this.#follow(value, stream) : this.#add(value)
    })
    return collected ?? value
  }

  end(): void {
    const [collected, only] = [this.#collected, this.#only]
    if (collected || only)
      this.#scope.capture('output', () => (collected ? collected.output : boundedText(only?.value)))
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

  // Its chunks are still to come when the handler is done.
  #follow(value: unknown, stream: object): unknown {
    const followed = follow(stream, new Ending(this.#scope.workContext, recorderFor(this.#scope), FOLLOWERS))
    return stream === value ? followed : value
  }
}

function recorderFor(scope: Scope): Recorder {
  const nothing = () => {}
  return {
    captureOutput: true,
    output: (text) => scope.capture('output', () => text),
    failed: nothing,
    endAtExit: nothing,
    end: nothing,
  }
}

/** Returns the source of a body in pieces: a stream, a generator, or that of a StreamableFile or a web Response. */
function streamIn(value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value instanceof StreamableFile) return value.getStream()
  if (value instanceof Response) return value.body ?? undefined
  return Symbol.asyncIterator in value ? value : undefined
}
