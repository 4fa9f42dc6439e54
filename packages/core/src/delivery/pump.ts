import type { HttpSender } from '../http-exchange.ts'
import type { Outbox } from '../outbox.ts'
import { withTracingSuppressed } from '../suppress-tracing.ts'
import { after } from '../timers.ts'

/** The longest time between two looks at what waits: it may have become too old. */
const LONGEST_WAIT_MS = 60_000

/** Sends what an outbox has, as long as the event loop turns and nobody else does. */
export class Pump {
  readonly #outbox: Outbox
  readonly #sender: HttpSender
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false

  constructor(outbox: Outbox, sender: HttpSender) {
    this.#outbox = outbox
    this.#sender = sender
  }

  /** To be called when there is something new. Sends what may be sent now, and looks again when more may be. */
  run(): void {
    clearTimeout(this.#timer)
    if (this.#isStopped) return
    withTracingSuppressed(() => {
      for (let next = this.#outbox.take(); next; next = this.#outbox.take()) {
        const { request, settle } = next
        void this.#sender
          .send(request)
          .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
          .then((outcome) => {
            settle(outcome)
            this.run()
          })
      }
      const wait = this.#outbox.wait()
      if (wait !== undefined) this.#timer = after(Math.min(wait, LONGEST_WAIT_MS), () => this.run())
    })
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  /** After {@link stop}: from the next {@link run} on it sends again. */
  goOn(): void {
    this.#isStopped = false
  }
}
