import { builtin } from './builtin.ts'
import { holdExit } from './hold-exit.ts'
import { log, messageOf } from './log.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
type Signal = (typeof SIGNALS)[number]

/** Somebody who holds things that must leave before the process ends. */
export interface ExitParty {
  /** What is held, for the message: `spans`. */
  readonly what: string
  /** Where it goes, for the message. */
  readonly destination: string
  /** Ends what is still open: nothing will follow. */
  readonly finish?: () => void
  /** Delivers what is held. */
  readonly flush: () => Promise<void>
  /** Whether something was added since the last flush. */
  readonly pending: () => boolean
  /** Longest wait in milliseconds. */
  readonly timeout: number
  /** Others, too, keep the process alive for it, and do not stop when told: end it when the time is over. */
  readonly endsLate?: boolean
}

/** A party's place at the gate. */
export interface ExitGuard {
  /**
   * To be called when there is something to deliver for the first time: until then signals are left to Node, which
   * ends a busy process at once only as long as nobody listens.
   */
  arm(): void
  /** Nothing is held, and nothing will be. */
  leave(): void
}

// On globalThis: two gates of one process, made by two copies of this module, would each end it.
const SLOT = Symbol.for('svc.exit.6')
const slots = globalThis as unknown as Record<symbol, ExitGate | undefined>

/**
 * Delivers what is held before the process ends, and lets it end the way it would have ended: same exit code or
 * signal, at most `timeout` later. Covers the natural end (`beforeExit`), SIGTERM and SIGINT; a `process.exit()`
 * that no signal caused is not held. One gate for all parties of the process; where there are no processes, none.
 */
export function guardExit(party: ExitParty): ExitGuard {
  slots[SLOT] ??= openGate()
  return slots[SLOT].admit(party)
}

/** Delivers what all parties of this process hold, without ending anything. Never rejects. */
export async function flushParties(): Promise<void> {
  await slots[SLOT]?.flushAll()
}

function openGate(): ExitGate {
  const gate = new ExitGate()
  if (typeof globalThis.process?.emit !== 'function') return gate
  const { emit } = process
  // In front of all listeners, without being one: the application's may be first in line, and count each other.
  process.emit = ((name: string, ...args: unknown[]) =>
    gate.takes(name, () => Reflect.apply(emit, process, [name, ...args])) ||
    Reflect.apply(emit, process, [name, ...args])) as typeof process.emit
  for (const signal of SIGNALS) rebind(signal)
  return gate
}

/** What the gate knows of a party. */
interface Attendance {
  /** It had something to deliver: there may be more. */
  armed: boolean
  flushedOnce: boolean
}

class ExitGate {
  readonly #parties = new Map<ExitParty, Attendance>()
  #listens = false
  /** The application has heard of the end, and what it gave then is on its way. */
  #heard = false
  /** A signal came: the application has its own way with signals, or this is the end. */
  #signalled = false

  admit(party: ExitParty): ExitGuard {
    const attendance = { armed: false, flushedOnce: false }
    this.#parties.set(party, attendance)
    return {
      arm: () => {
        attendance.armed = true
        this.#listen()
      },
      leave: () => void this.#parties.delete(party),
    }
  }

  /** @returns whether the event is kept from the listeners of the application, for now. */
  takes(name: string, emit: () => void): boolean {
    if (name === 'beforeExit') return this.#beforeExit(emit)
    if (this.#listens && isSignal(name)) return this.#signal(name)
    return false
  }

  async flushAll(): Promise<void> {
    await Promise.all([...this.#parties.keys()].map((party) => flushQuietly(party)))
  }

  #listen(): void {
    if (this.#listens || this.#signalled || !builtin('node:worker_threads')?.isMainThread) return
    this.#listens = true
    for (const signal of SIGNALS) process.on(signal, listener)
  }

  #beforeExit(emit: () => void): boolean {
    if (this.#flushDue(emit)) return true
    // What the application gives in its own last moment is delivered, too; it has heard then and is not asked again,
    // or a listener that always has something would never let the process end.
    if (!this.#heard) emit()
    this.#heard = !this.#heard && this.#flushDue(emit)
    return true
  }

  /** @returns whether somebody had something to deliver: the event comes again when that is done. */
  #flushDue(emit: () => void): boolean {
    const due = [...this.#parties]
      .filter(([party, { armed, flushedOnce }]) => armed && (!flushedOnce || party.pending()))
      .map(([party, attendance]) => {
        attendance.flushedOnce = true
        return party
      })
    if (due.length === 0) return false
    void Promise.all(due.map((party) => this.#flush(party, true))).then((inTime) => {
      if (due.every(({ endsLate }, index) => inTime[index] || !endsLate)) {
        // One more turn of the event loop, at whose end Node emits the event again: then for the application.
        setImmediate(() => {})
        return
      }
      if (!this.#heard) emit()
      process.exit()
    })
    return true
  }

  #signal(signal: Signal): boolean {
    this.#listens = false
    this.#signalled = true
    for (const each of SIGNALS) process.removeListener(each, listener)
    const alone = process.listenerCount(signal) === 0
    const late = new Set<ExitParty>()
    const flushed = this.#flushEach([...this.#parties.keys()], alone, late)
    if (alone) {
      // It would have ended the process: send it again, now to its default action.
      void flushed.then(() => process.kill(process.pid, signal))
      return true
    }
    holdExit(signal, flushed, (held) => {
      const parties = [...this.#parties.keys()]
      for (const party of parties) party.finish?.()
      // Who was just waited for in vain is not waited for again.
      const rest = parties.filter((party) => party.pending() && !(held && late.has(party)))
      return rest.length > 0 ? this.#flushEach(rest, true, late) : undefined
    })
    return false
  }

  /** @param late gets those who were given up on */
  async #flushEach(parties: readonly ExitParty[], final: boolean, late: Set<ExitParty>): Promise<void> {
    const flushed = parties.map(async (party) => {
      if (!(await this.#flush(party, final))) late.add(party)
    })
    await Promise.all(flushed)
  }

  /** Resolves with whether everything was delivered in time, and keeps the process alive until then. */
  #flush(party: ExitParty, final: boolean): Promise<boolean> {
    const { what, destination, timeout } = party
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const waited = timeout / 1_000
        log.once(
          'warn',
          `gave up on the last ${what}: ${destination} did not take them within ${waited} s (SVC_SHUTDOWN_TIMEOUT).`,
        )
        resolve(false)
      }, timeout)
      void flushQuietly(party, final).then(() => {
        clearTimeout(timer)
        resolve(true)
      })
    })
  }
}

async function flushQuietly(party: ExitParty, final = false): Promise<void> {
  try {
    if (final) party.finish?.()
    await party.flush()
  } catch (error) {
    log.debug(`could not deliver the last ${party.what}: ${messageOf(error)}`)
  }
}

/**
 * Node binds `process.emit` to a signal when its first listener comes. Where one was there before the gate (a framework
 * that starts us late), all of them come again, in their order.
 */
function rebind(signal: Signal): void {
  const listeners = process.rawListeners(signal)
  if (listeners.length === 0) return
  process.removeAllListeners(signal)
  for (const each of listeners) process.on(signal, each as NodeJS.SignalsListener)
}

/** Only there so that Node hands the signal to the process: what is done happens before listeners are called. */
const listener = () => {}

function isSignal(name: string): name is Signal {
  return SIGNALS.some((signal) => signal === name)
}
