import { attempt } from './attempt.ts'
import { hostProcess } from './host-process.ts'
import { keepAlive } from './keep-alive.ts'
import { lastHop } from './last-hop.ts'
import { log, messageOf } from './log.ts'
import type { Outbox } from './outbox.ts'
import { LISTEN_AGAIN_MS, listenToEnd } from './process-end.ts'
import * as SLOTS from './slots.ts'
import { mayStartWorker } from './sync-http.ts'
import { after, within } from './timers.ts'

/** A component with data to deliver before the process ends. Its methods never throw or reject. */
export interface ExitHandler {
  /** Longest wait in milliseconds: for the whole last hop, and for each step of a flush that makes progress. */
  readonly timeoutMs: number
  /** Whether it has undelivered data. */
  pending(): boolean
  /** Ends open spans, because no more data will arrive. */
  finish?(): void
  /**
   * Delivers its data, or gives up on it. Keeps the process alive until then.
   *
   * @param atExit whether only this keeps the process alive
   * @param limitMs longest time in all, after which what is left waits. Default: its own
   */
  flush(atExit: boolean, limitMs?: number): Promise<void>
  /** Returns its data, ready to be sent without the event loop. Undefined if only {@link flush} can deliver it. */
  outbox?(): Outbox | undefined
  /** Whether it has data that only {@link flush} can deliver. */
  needsEventLoop?(): boolean
  /** Whether work that cannot be cancelled keeps the process alive. */
  isOverdue?(): boolean
  /** Called if the process did not end: the first process of a container ignores signals. */
  goOn?(): void
  /** Called last, even without pending data: data that is still pending is lost. May be called more than once. */
  close?(): void
}

export interface ExitRegistration {
  /**
   * To be called when there may be something to deliver for the first time. Until then no signal handler is installed:
   * Node ends a busy process at a signal only if it has none.
   */
  listen(): void
  /**
   * To be called when there is more to deliver. After the last listener of the `exit` event, and after a signal was sent
   * again to end the process, it is delivered here, synchronously.
   */
  added(): void
  remove(): void
}

// On globalThis, because with one list per copy of this module, each copy would end the process.
const SLOT = Symbol.for(SLOTS.EXIT)
const slots = globalThis as unknown as Record<symbol, ExitHandlers | undefined>

/**
 * Delivers the data of a handler before the process ends: normally, by `process.exit()`, by an uncaught error, or by a
 * signal that the application does not handle. The exit code or signal stays the same. Signals that the application
 * handles are left to it. Does nothing in runtimes without processes.
 */
export function onExit(handler: ExitHandler): ExitRegistration {
  slots[SLOT] ??= new ExitHandlers()
  return slots[SLOT].add(handler)
}

/**
 * Delivers the data of all handlers, and keeps the process alive until then. Never rejects.
 *
 * @param limitMs longest time in all, after which what is left waits. Default: each handler's own
 */
export async function flushExitHandlers(limitMs?: number): Promise<void> {
  await slots[SLOT]?.flush(limitMs)
}

class ExitHandlers {
  readonly #handlers = new Set<ExitHandler>()
  /** Handlers whose last flush delivered nothing: they are not flushed again. */
  readonly #givenUp = new WeakSet<ExitHandler>()
  #listens = false
  #isEnding = false
  /**
   * Whether this end calls none of our listeners any more, while code of the application may still run: listeners that
   * were added in the same tick as `process.exit()` or after it, and those of `signal-exit`.
   */
  #isLate = false
  /** Milliseconds already spent on this end of the process. */
  #spentMs = 0

  add(handler: ExitHandler): ExitRegistration {
    this.#handlers.add(handler)
    return {
      listen: () => this.#listen(),
      added: () => {
        if (this.#isLate) this.#exit()
      },
      remove: () => void this.#handlers.delete(handler),
    }
  }

  async flush(limitMs?: number): Promise<void> {
    await Promise.all([...this.#handlers].map((handler) => flushQuietly(handler, false, limitMs)))
  }

  #listen(): void {
    const process = hostProcess()
    if (this.#listens || typeof process?.on !== 'function') return
    this.#listens = true
    // Node calls only the listeners that were there when the `exit` event began.
    if ((process as { _exiting?: boolean })._exiting) this.#beLate()
    listenToEnd({
      // What they throw would change the end of the process.
      beforeExit: (othersListen) => attempt('deliver before the exit', () => this.#beforeExit(othersListen)),
      exit: (isLast) =>
        attempt('deliver at the exit', () => {
          this.#exit()
          if (isLast) this.#beLate()
        }),
      signal: (end) => {
        const begin = () => {
          this.#signal(end)
          return true
        }
        if (!attempt('deliver at a signal', begin)) end()
      },
    })
  }

  /**
   * Called at the normal end. Starting work here makes Node emit the event again, so if the application listens to it,
   * too, everything that can wait for `exit` waits.
   */
  #beforeExit(othersListen: boolean): void {
    this.#finish()
    const pending = [...this.#handlers].filter((handler) => !this.#givenUp.has(handler) && handler.pending())
    const canWait = pending.length > 0 && othersListen && mayStartWorker()
    const due = pending.filter((handler) => !canWait || handler.needsEventLoop?.())
    void Promise.all(due.map((handler) => flushQuietly(handler, true))).then(() => {
      for (const handler of due) if (handler.pending()) this.#givenUp.add(handler)
      if (due.some((handler) => handler.isOverdue?.())) hostProcess()?.exit()
    })
  }

  /** Called for a signal. A second signal does not wait for data that only the event loop can deliver. */
  #signal(end: () => void): void {
    this.#hop()
    const slow = this.#isEnding ? [] : [...this.#handlers].filter((handler) => handler.needsEventLoop?.())
    this.#isEnding = true
    if (slow.length === 0) {
      this.#close()
      this.#endBy(end)
      return
    }
    const left = Math.max(0, Math.max(...slow.map(({ timeoutMs }) => timeoutMs)) - this.#spentMs)
    const started = performance.now()
    const flushed = Promise.all(slow.map((handler) => flushQuietly(handler, true)))
    void keepAlive(within(flushed, left), left).then(() => {
      this.#spentMs += performance.now() - started
      this.#exit()
      this.#endBy(end)
    })
  }

  /** Until the process shows that it goes on: `process.exit()` was stopped by an error, or the signal was ignored. */
  #beLate(ms = 0): void {
    this.#isLate = true
    after(ms, () => {
      this.#isLate = false
    })
  }

  #endBy(end: () => void): void {
    end()
    this.#beLate(LISTEN_AGAIN_MS)
    setImmediate(() => {
      this.#isEnding = false
      this.#spentMs = 0
      for (const handler of this.#handlers) handler.goOn?.()
    }).unref()
  }

  #exit(): void {
    this.#hop()
    this.#close()
  }

  /** Sends pending data synchronously. Several calls for one end share one time limit. */
  #hop(): void {
    this.#finish()
    const started = performance.now()
    try {
      const held = [...this.#handlers].filter((handler) => handler.pending())
      const hops = held.map((handler) => ({ limit: handler.timeoutMs, outbox: handler.outbox?.() }))
      const outboxes = hops.flatMap(({ outbox }) => outbox ?? [])
      const longest = Math.max(...hops.map(({ limit }) => limit))
      if (outboxes.length > 0) lastHop(outboxes, longest - this.#spentMs)
    } catch (error) {
      log.debug(`the last hop failed: ${messageOf(error)}`)
    }
    this.#spentMs += performance.now() - started
    // Runs only if an error stopped `process.exit()` and the process goes on.
    setImmediate(() => {
      if (!this.#isEnding) this.#spentMs = 0
    }).unref()
  }

  #close(): void {
    for (const handler of this.#handlers) handler.close?.()
  }

  #finish(): void {
    for (const handler of this.#handlers) handler.finish?.()
  }
}

async function flushQuietly(handler: ExitHandler, atExit: boolean, limitMs?: number): Promise<void> {
  try {
    await handler.flush(atExit, limitMs)
  } catch (error) {
    log.debug(`a flush failed: ${messageOf(error)}`)
  }
}
