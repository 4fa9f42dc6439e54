import { isMainThread } from 'node:worker_threads'
import { log, messageOf } from '@svc/core/log'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
type Signal = (typeof SIGNALS)[number]

export interface ExitGateOptions {
  /** Delivers what is held. `final`: nothing will follow, so what is still open ends now. */
  readonly flush: (final: boolean) => Promise<void>
  /** Whether something was recorded since the last flush. */
  readonly pending: () => boolean
  /** Longest wait in milliseconds. */
  readonly timeout: number
  /** Where the spans go, for the message. */
  readonly destination: string
}

/**
 * Delivers the last spans before the process ends, and lets it end the way it would have ended: same exit code or
 * signal, at most `timeout` later. Covers the natural end (`beforeExit`), SIGTERM and SIGINT; a `process.exit()`
 * that no signal caused is not held.
 */
export function guardExit({ flush, pending, timeout, destination }: ExitGateOptions): void {
  const late = () => {
    const seconds = timeout / 1_000
    log.once(
      'warn',
      `gave up on the last spans: ${destination} did not take them within ${seconds} s (SVC_SHUTDOWN_TIMEOUT).`,
    )
  }
  const bounded = (final: boolean) => within(timeout, () => flush(final), late)

  let first = true
  process.on('beforeExit', () => {
    if (!first && !pending()) return
    first = false
    void bounded(true)
  })

  if (!isMainThread) return
  for (const signal of SIGNALS) {
    const onSignal = () => {
      process.removeListener(signal, onSignal)
      const alone = process.listenerCount(signal) === 0
      const flushed = bounded(alone)
      // With no other listener the signal would have ended the process: send it again, now to its default action.
      if (alone) void flushed.then(() => process.kill(process.pid, signal))
      else holdExit(signal, flushed, () => (pending() ? bounded(true) : undefined))
    }
    // First in line: the application's own listener may end the process at once.
    process.prependListener(signal, onSignal)
  }
}

/**
 * The application handles `signal` itself and will call `process.exit()` or send the signal again when it is done:
 * that call waits for the flush under way, and for another one when more was recorded meanwhile. The first call
 * decides, as it would have.
 */
function holdExit(signal: Signal, flushed: Promise<void>, flushRest: () => Promise<void> | undefined): void {
  const { exit, kill } = process
  let settled = false
  let ending = false
  void flushed.then(() => {
    settled = true
  })

  const end = (now: () => void) => {
    if (ending) return
    ending = true
    const rest = settled ? flushRest() : flushed.then(flushRest)
    if (rest) void rest.then(now)
    else now()
  }

  process.exit = ((code?: number) => {
    end(() => exit.call(process, code))
  }) as typeof process.exit
  process.kill = ((pid: number, sent?: string | number) => {
    if (pid !== process.pid || sent !== signal) return kill.call(process, pid, sent)
    end(() => kill.call(process, pid, sent))
    return true
  }) as typeof process.kill
}

/** Resolves when `work` has ended or `timeout` is over, and keeps the process alive until then. Never rejects. */
function within(timeout: number, work: () => Promise<void>, late: () => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      late()
      resolve()
    }, timeout)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    Promise.resolve()
      .then(work)
      .then(done, (error: unknown) => {
        log.debug(`could not deliver the last spans: ${messageOf(error)}`)
        done()
      })
  })
}
