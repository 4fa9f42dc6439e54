import { log, messageOf } from './log.ts'

/** Does what may fail, because it reads what other parties made, and goes on without it when it does. */
export function attempt<T>(what: string, action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    log.debug(`cannot ${what}: ${messageOf(error)}`, error)
    return undefined
  }
}
