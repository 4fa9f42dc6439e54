import { log, messageOf } from './log.ts'

/**
 * Returns what `action` returns; if it throws, logs that at debug level and returns undefined. For objects of other
 * libraries.
 */
export function attempt<T>(what: string, action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    log.debug(`cannot ${what}: ${messageOf(error)}`, error)
    return undefined
  }
}
