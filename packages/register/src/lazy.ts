import { log, messageOf } from '@svc/core/log'
import { outside } from './outside.ts'

/** Something that is made when it is asked for the first time. Where that fails it is undefined, and one line says why. */
export interface Lazy<T> {
  (): T | undefined
  /** Returns the value if it was created. */
  readonly made: T | undefined
  /** From now on nothing is made any more. @returns what was made, if it was */
  end(): T | undefined
}

/** Milliseconds until the next attempt after one that failed. They double, up to a minute. */
const PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/**
 * What makes an attempt fail may pass: a process without a free file handle cannot load a chunk.
 *
 * @param make is called until it succeeds once, {@link outside} of whatever runs at the moment
 */
export function lazy<T>(make: () => T): Lazy<T> {
  let made: T | undefined
  let nextAttempt = Number.NEGATIVE_INFINITY
  let pause = PAUSE_MS
  const tryToMake = () => {
    if (isBefore(nextAttempt)) return undefined
    // Code that asks while it is made gets nothing.
    nextAttempt = Number.POSITIVE_INFINITY
    try {
      made = outside(make)
      if (pause > PAUSE_MS) log.info('svc has started after all: spans are recorded from now on.')
    } catch (error) {
      // Where the stack is full, the calls below throw again.
      nextAttempt = Number.NEGATIVE_INFINITY
      const level = pause > PAUSE_MS ? 'debug' : 'error'
      log[level](`svc cannot start, so nothing is traced: ${messageOf(error)} (tried again in ${pause / 1_000} s)`)
      nextAttempt = now() + pause
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    }
    return made
  }
  const get = () => made ?? tryToMake()
  const end = () => {
    const last = made
    nextAttempt = Number.POSITIVE_INFINITY
    made = undefined
    return last
  }
  return Object.defineProperty(Object.assign(get, { end }), 'made', { get: () => made }) as Lazy<T>
}

function isBefore(time: number): boolean {
  return Number.isFinite(time) ? now() < time : time > 0
}

/** Milliseconds. Node would load `performance`, which takes longer than most of what is made. */
function now(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1_000_000
}
