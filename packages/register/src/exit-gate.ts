import { isMainThread } from 'node:worker_threads'
import { log, messageOf } from '@svc/core/log'
import { holdExit } from './hold-exit.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
type Signal = (typeof SIGNALS)[number]

export interface ExitGateOptions {
  /** Ends what is still open: nothing will follow. */
  readonly finish: () => void
  /** Delivers what is held. */
  readonly flush: () => Promise<void>
  /** Whether something was recorded since the last flush. */
  readonly pending: () => boolean
  /** Longest wait in milliseconds. */
  readonly timeout: number
  /** Where the spans go, for the message. */
  readonly destination: string
  /** Others, too, keep the process alive for spans, and do not stop when told: end it when the time is over. */
  readonly endsLate: boolean
}

/**
 * Delivers the last spans before the process ends, and lets it end the way it would have ended: same exit code or
 * signal, at most `timeout` later. Covers the natural end (`beforeExit`), SIGTERM and SIGINT; a `process.exit()`
 * that no signal caused is not held.
 *
 * @returns to be called when the first span starts: until then signals are left to Node, which ends a busy process
 * at once only as long as nobody listens.
 */
export function guardExit(options: ExitGateOptions): () => void {
  const gate = new ExitGate(options)
  const { emit } = process
  // In front of all listeners, without being one: the application's may be first in line, and count each other.
  process.emit = ((name: string, ...args: unknown[]) =>
    gate.takes(name, () => Reflect.apply(emit, process, [name, ...args])) ||
    Reflect.apply(emit, process, [name, ...args])) as typeof process.emit
  return () => gate.arm()
}

class ExitGate {
  readonly #options: ExitGateOptions
  /** A span was started: there may be something to deliver. */
  #started = false
  #armed = false
  #flushedOnce = false

  constructor(options: ExitGateOptions) {
    this.#options = options
  }

  arm(): void {
    this.#started = true
    if (this.#armed || !isMainThread) return
    this.#armed = true
    for (const signal of SIGNALS) process.on(signal, listener)
  }

  /** @returns whether the event is kept from the listeners of the application, for now. */
  takes(name: string, emit: () => void): boolean {
    if (name === 'beforeExit') return this.#beforeExit(emit)
    if (this.#armed && isSignal(name)) return this.#signal(name)
    return false
  }

  #beforeExit(emit: () => void): boolean {
    if (!this.#started || (this.#flushedOnce && !this.#options.pending())) return false
    this.#flushedOnce = true
    void this.#flush(true).then((inTime) => {
      if (inTime || !this.#options.endsLate) {
        // One more turn of the event loop, at whose end Node emits the event again: then for the application.
        setImmediate(() => {})
        return
      }
      emit()
      process.exit()
    })
    return true
  }

  #signal(signal: Signal): boolean {
    this.#armed = false
    for (const each of SIGNALS) process.removeListener(each, listener)
    const alone = process.listenerCount(signal) === 0
    const flushed = this.#flush(alone)
    if (alone) {
      // It would have ended the process: send it again, now to its default action.
      void flushed.then(() => process.kill(process.pid, signal))
      return true
    }
    holdExit(signal, flushed, () => {
      this.#options.finish()
      return this.#options.pending() ? this.#flush(true) : undefined
    })
    return false
  }

  /** Resolves with whether everything was delivered in time, and keeps the process alive until then. */
  #flush(final: boolean): Promise<boolean> {
    const { finish, flush, timeout, destination } = this.#options
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const waited = timeout / 1_000
        log.once(
          'warn',
          `gave up on the last spans: ${destination} did not take them within ${waited} s (SVC_SHUTDOWN_TIMEOUT).`,
        )
        resolve(false)
      }, timeout)
      const done = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const work = async () => {
        if (final) finish()
        await flush()
      }
      work().then(done, (error: unknown) => {
        log.debug(`could not deliver the last spans: ${messageOf(error)}`)
        done()
      })
    })
  }
}

/** Only there so that Node hands the signal to the process: what is done happens before listeners are called. */
const listener = () => {}

function isSignal(name: string): name is Signal {
  return SIGNALS.some((signal) => signal === name)
}
