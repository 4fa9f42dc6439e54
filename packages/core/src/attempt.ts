import { log, messageOf } from './log.ts'

/**
 * Returns what `action` returns; if it throws, logs that at debug level and returns undefined. For objects of other
 * libraries. On the path of every request, give the arguments here: a closure is one more function that V8 compiles.
 */
export function attempt<A extends unknown[], T>(what: string, action: (...args: A) => T, ...args: A): T | undefined {
  try {
    return action(...args)
  } catch (error) {
    log.debug(`cannot ${what}: ${messageOf(error)}`, error)
    return undefined
  }
}
