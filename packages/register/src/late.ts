import { log, messageOf } from '@svc/core/log'
import { outside } from './outside.ts'

/** Something that is made when it is asked for the first time. Where that fails it is undefined, and one line says why. */
export interface Late<T> {
  (): T | undefined
  /** What was made, if it was. */
  readonly made: T | undefined
  /** From now on nothing is made any more. @returns what was made, if it was */
  end(): T | undefined
}

/** @param make is called once, {@link outside} of whatever runs at the moment */
export function late<T>(make: () => T): Late<T> {
  let made: T | undefined
  let isOver = false
  const get = () => {
    if (isOver) return made
    // Whoever asks meanwhile, as parts of what is made may, gets nothing.
    isOver = true
    try {
      made = outside(make)
    } catch (error) {
      log.error(`svc cannot start, so nothing is traced: ${messageOf(error)}`)
    }
    return made
  }
  const end = () => {
    const last = made
    isOver = true
    made = undefined
    return last
  }
  return Object.defineProperty(Object.assign(get, { end }), 'made', { get: () => made }) as Late<T>
}
