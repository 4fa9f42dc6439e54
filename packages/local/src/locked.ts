import { setTimeout as wait } from 'node:timers/promises'
import { isLocked } from './sqlite-error.ts'

/** The longest wait of a write for the lock of another connection, and the pause between its tries, in milliseconds. */
const LOCK_WAIT_MS = 4_000
const RETRY_MS = 20

/** Calls again while another connection holds the lock, for up to 4 s, without blocking the event loop. */
export async function whenUnlocked<T>(act: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + LOCK_WAIT_MS
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error
      await wait(RETRY_MS)
    }
  }
}
