import { startActiveObservation } from '@svc/tracing'
import { meet } from './meeting.js'

/** An observation of the application's own, around what it does. */
export const work = <T>(name: string, run: () => T): T => startActiveObservation(name, run)

/** The same for work that waits in the middle until everybody is in the middle of it. */
export const sharedWork = <T>(name: string, place: string, result: T): Promise<T> =>
  work(name, async () => {
    await meet(`${place}: ${name}`)
    return result
  })
