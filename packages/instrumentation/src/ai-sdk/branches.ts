import { attempt } from '@svc/core/attempt'
import { heardStream } from './heard-stream.ts'
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
  #open = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  taken(stream: ReadableStream): ReadableStream {
    this.#open += 1
    this.#cameBack()
    return heardStream(stream, {
      done: () => {
        this.#open -= 1
      },
      error: () => {
        this.#open -= 1
      },
      left: () => attempt('see that a stream is left', () => this.#left()),
    })
  }

  #left(): void {
    this.#open -= 1
    this.call()?.expect('stopped early')
    if (this.#open > 0) return
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

const branches = new WeakMap<object, Branches>()

export function branchesOf(result: object): Branches {
  const known = branches.get(result)
  if (known) return known
  const made = new Branches()
  branches.set(result, made)
  return made
}
