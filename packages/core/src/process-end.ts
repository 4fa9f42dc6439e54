import { builtin } from './builtin.ts'
import { hostProcess } from './host-process.ts'

/** Signals that end a process unless it handles them. */
const SIGNALS: ReadonlySet<string | symbol> = new Set<NodeJS.Signals>([
  'SIGTERM',
  'SIGINT',
  // Windows has other signals, which a process cannot send to itself.
  ...(hostProcess()?.platform === 'win32'
    ? []
    : // The last one is what nodemon sends.
      (['SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const)),
])

/**
 * Milliseconds in which a signal that was sent again should end the process: the first process of a container ignores
 * it.
 */
export const LISTEN_AGAIN_MS = 100

export interface ProcessEnd {
  /** Called when the event loop is empty. Work that is started here keeps it running. */
  beforeExit(others: boolean): void
  /**
   * Called for `exit`, before and after the listeners of the application.
   *
   * @param isLast whether it is not called again for this end
   */
  exit(isLast: boolean): void
  /** Called for a signal without another handler: `end()` ends the process by this signal. */
  signal(end: () => void): void
}

/**
 * Listens to the end of the process without changing it. It is the first listener of `exit`, because a listener of the
 * application may call `process.exit()`, after which no other is called; and also the last one, because spans end in
 * such listeners. It listens to a signal only while the application does not: some listeners do not end the process if
 * there are others.
 */
export function listenToEnd(on: ProcessEnd): void {
  const process = hostProcess() as NodeJS.Process
  const isMainThread = builtin('node:worker_threads')?.isMainThread !== false
  let mayBeRaisedAgain = false
  const atExit = () => on.exit(false)
  const atExitLast = () => on.exit(true)
  const atSignal = (signal: NodeJS.Signals, number?: unknown) => {
    // Without a number it was emitted by code, not by the operating system. Deno passes none.
    if (typeof number !== 'number' && !process.versions.deno) return
    on.signal(() => {
      process.removeListener(signal, atSignal)
      process.kill(process.pid, signal)
      setTimeout(takePlace, LISTEN_AGAIN_MS, signal).unref()
    })
  }
  const isOurs = (listener: unknown) => [atExit, atExitLast, atSignal].includes(listener as typeof atExit)

  function takeExit(): void {
    process.removeListener('exit', atExit)
    process.prependListener('exit', atExit)
    process.removeListener('exit', atExitLast)
    process.on('exit', atExitLast)
  }

  function takePlace(signal: NodeJS.Signals): void {
    process.removeListener(signal, atSignal)
    if (othersAt(process, signal, isOurs) === 0) process.on(signal, atSignal)
  }

  process.on('beforeExit', () => {
    // An application may remove its listener and send the signal to itself again, which would end it at once if we did
    // not listen. Because we do, it is an event, and an empty event loop has to run once more to emit it.
    if (mayBeRaisedAgain) setImmediate(() => {})
    mayBeRaisedAgain = false
    on.beforeExit(process.listenerCount('beforeExit') > 1)
  })
  takeExit()
  if (isMainThread) for (const signal of SIGNALS) takePlace(signal as NodeJS.Signals)
  process.on('newListener', (name, listener) => {
    if (isOurs(listener)) return
    // `newListener` is emitted before the listener is added.
    if (name === 'exit') queueMicrotask(takeExit)
    else if (isMainThread && isSignal(name)) queueMicrotask(() => takePlace(name))
  })
  process.on('removeListener', (name, listener) => {
    if (isOurs(listener) || !isMainThread || !isSignal(name)) return
    takePlace(name)
    mayBeRaisedAgain = true
  })
}

function isSignal(name: string | symbol): name is NodeJS.Signals {
  return SIGNALS.has(name)
}

/** Listeners of `signal-exit`, versions 3 and 4, which act only if they are the only ones. */
const SIGNAL_EXIT = ['__signal_exit_emitter__', Symbol.for('signal-exit emitter')] as const

/** Returns how many other listeners a signal has, except those that act only if they are the only ones. */
function othersAt(process: NodeJS.Process, signal: NodeJS.Signals, isOurs: (listener: unknown) => boolean): number {
  const places = [process, globalThis] as unknown as Record<string | symbol, { count?: number } | undefined>[]
  const passive = places.map((place, at) => place[SIGNAL_EXIT[at] ?? '']?.count ?? 0)
  const others = process.listeners(signal).filter((listener) => !isOurs(listener)).length
  return others - passive.reduce((sum, count) => sum + count, 0)
}
