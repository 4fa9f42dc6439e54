import { builtin } from './builtin.ts'

/** Signals that end a process which does not handle them. */
const SIGNALS: ReadonlySet<string | symbol> = new Set<NodeJS.Signals>([
  'SIGTERM',
  'SIGINT',
  // Windows has others, which a process cannot send to itself once more.
  ...(globalThis.process?.platform === 'win32'
    ? []
    : // The last one is what nodemon sends.
      (['SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const)),
])

/** How long a signal that was sent again may take to end the process: the first one in a container ignores it. */
const LISTEN_AGAIN_MS = 100

export interface ProcessEnd {
  /** The event loop ran dry, and turns as long as this promise is pending. */
  beforeExit(others: boolean): void
  /** The last moment: once before the listeners of the application, once after them. */
  exit(): void
  /** A signal that nobody handles: the process ends of it after `end()`. */
  signal(end: () => void): void
}

/**
 * Listens to how the process ends, without changing it. First in line at `exit`, because a listener of the application
 * may call `process.exit()` and be the last one that is called; and last in line, because spans end in such listeners.
 * First in line at a signal, to see who else listens before a `once` listener is gone.
 */
export function listenToEnd(on: ProcessEnd): void {
  const isMainThread = builtin('node:worker_threads')?.isMainThread !== false
  /** Signals that the application handled. */
  const handled = new Set<NodeJS.Signals>()
  const atExit = () => on.exit()
  const atExitLast = () => on.exit()
  const atSignal = (signal: NodeJS.Signals, number?: unknown) => {
    // Without a number it is not from the system: somebody emits it.
    if (typeof number !== 'number') return
    if (isHandled(signal)) {
      handled.add(signal)
      return
    }
    on.signal(() => {
      process.removeListener(signal, atSignal)
      process.kill(process.pid, signal)
      setTimeout(takePlaces, LISTEN_AGAIN_MS, signal).unref()
    })
  }

  function takePlaces(name: string | symbol): void {
    if (name === 'exit') {
      process.removeListener('exit', atExit)
      process.prependListener('exit', atExit)
      process.removeListener('exit', atExitLast)
      process.on('exit', atExitLast)
    }
    if (SIGNALS.has(name) && isMainThread) {
      process.removeListener(name, atSignal)
      process.prependListener(name as NodeJS.Signals, atSignal)
    }
  }

  /**
   * An application that is done with a signal takes its listener away and sends the signal to itself once more. Nobody
   * listens without us, and it dies of it at once. With us it is an event, which an event loop that ran dry never gets to.
   */
  function awaitRaisedAgain(): void {
    if ([...handled].some((signal) => !isHandled(signal))) setImmediate(() => {})
    handled.clear()
  }

  process.on('beforeExit', () => {
    awaitRaisedAgain()
    on.beforeExit(process.listenerCount('beforeExit') > 1)
  })
  for (const name of ['exit', ...SIGNALS]) takePlaces(name)
  process.on('newListener', (name, listener) => {
    const isOurs = [atExit, atExitLast, atSignal].includes(listener as typeof atExit)
    // The event comes before the listener is there.
    if (!isOurs && (name === 'exit' || (SIGNALS.has(name) && isMainThread))) queueMicrotask(() => takePlaces(name))
  })
}

/** Listeners of `signal-exit`, which act only where nobody else listens. A copy of version 3, and one of version 4. */
const SIGNAL_EXIT = ['__signal_exit_emitter__', Symbol.for('signal-exit emitter')] as const

function isHandled(signal: NodeJS.Signals): boolean {
  const places = [process, globalThis] as unknown as Record<string | symbol, { count?: number } | undefined>[]
  const passive = places.map((place, at) => place[SIGNAL_EXIT[at] ?? '']?.count ?? 0)
  return process.listenerCount(signal) > 1 + passive.reduce((sum, count) => sum + count, 0)
}
