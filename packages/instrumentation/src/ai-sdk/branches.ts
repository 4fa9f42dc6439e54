import { finished, isErrored } from 'node:stream'
import { inspect } from 'node:util'
import { attempt } from '@svc/core/attempt'
import type { Fate } from './fate.ts'
import type { OpenSpan } from './open-span.ts'

/** For so long an application that has left may still come back for the rest: `for await … break`, then `result.usage`. */
const GRACE_MS = 5_000

/**
 * The streams that an application takes from one result of the AI SDK. The SDK reads the model in branches, of which it
 * keeps one for whoever comes later: that one is left shows nowhere else.
 */
class Branches {
  /** The outermost span of the call, once it has begun. */
  call: () => OpenSpan | undefined = () => undefined
  /** Of the streams that are being read. */
  readonly #ends = new Set<End>()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** What stands for a branch that the application takes through another stream. */
  taken(branch: ReadableStream): Pick<ReadableStream, 'pipeThrough'> {
    return {
      pipeThrough: (through, options) => {
        const read = branch.pipeThrough(through, options)
        attempt('follow a stream', () => this.#follow(branch, through.writable))
        return read
      },
    }
  }

  /** How the call will have ended, where a stream was left that nobody has been told of yet. */
  get fate(): Fate | undefined {
    return [...this.#ends].some(({ isLeft }) => isLeft()) ? 'stopped early' : undefined
  }

  /** Asks of the end of a pipe, which costs nothing on the way there. */
  #follow(branch: ReadableStream, end: WritableStream): void {
    this.#cameBack()
    const weak = endOf(branch, end)
    finished(end as unknown as NodeJS.WritableStream, (error) => {
      this.#ends.delete(weak)
      if (hasFailed(branch)) setImmediate(() => attempt('end a call', () => this.call()?.failed(error)))
      else if (hasFailed(end)) attempt('see that a stream is left', () => this.#left())
    })
    this.#ends.add(weak)
  }

  #left(): void {
    this.call()?.expect('stopped early')
    if (this.#ends.size > 0) return
    this.#timer = setTimeout(() => this.call()?.endAs('stopped early'), GRACE_MS)
    this.#timer.unref?.()
    // A stream may be left before its call begins.
    setImmediate(() => this.#timer && this.call()?.expect('stopped early'))
  }

  #cameBack(): void {
    if (!this.#timer) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.call()?.expect(undefined)
  }
}

interface End {
  isLeft(): boolean
}

/** Holds neither: a call that waits must not keep what nobody reads. */
function endOf(branch: ReadableStream, end: WritableStream): End {
  const [source, sink] = [new WeakRef(branch), new WeakRef(end)]
  return { isLeft: () => hasFailed(sink.deref()) && !hasFailed(source.deref()) }
}

/** Node 22 tells it of readable streams only; of others it shows the state. */
const IS_TOLD = Symbol.for('nodejs.stream.errored') in WritableStream.prototype

function hasFailed(stream: ReadableStream | WritableStream | undefined): boolean {
  if (!stream) return false
  if (!IS_TOLD && stream instanceof WritableStream) return /\bstate: 'errored'/.test(inspect(stream, PLAINLY))
  return isErrored(stream as unknown as NodeJS.ReadableStream)
}

const PLAINLY = { depth: 1, colors: false }

const branches = new WeakMap<object, Branches>()

export function branchesOf(result: object): Branches {
  const known = branches.get(result)
  if (known) return known
  const made = new Branches()
  branches.set(result, made)
  return made
}
