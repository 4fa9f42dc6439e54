/** Options of the waiting reads. */
export interface WaitOptions {
  /** Milliseconds until the wait is given up. Default 10,000. */
  readonly timeoutMs?: number
}

interface Waiter {
  look(): void
  giveUp(reason: string): void
}

/** Lets readers wait for what has not arrived yet: every arrival makes each of them look again. */
export class Arrivals {
  readonly #waiters = new Set<Waiter>()

  /** Called when something arrived or was refused: every waiter looks again. */
  announce(): void {
    for (const waiter of [...this.#waiters]) waiter.look()
  }

  /** Called when the service closes: rejects every wait. */
  close(): void {
    for (const waiter of [...this.#waiters]) waiter.giveUp('the service was closed')
  }

  /**
   * Resolves with the first thing `look` finds that is neither undefined, null nor false: now, or after an arrival.
   *
   * @throws Error at the timeout, when the service closes, and with whatever `look` throws.
   */
  wait<T>(look: () => T | undefined | null | false, { timeoutMs = 10_000 }: WaitOptions = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer)
        this.#waiters.delete(waiter)
        act()
      }
      const waiter: Waiter = {
        look: () => {
          try {
            const found = look()
            if (found !== undefined && found !== null && found !== false) settle(() => resolve(found))
          } catch (error) {
            settle(() => reject(error))
          }
        },
        giveUp: (reason) => settle(() => reject(new Error(`Nothing that fits arrived: ${reason}`))),
      }
      const timer = setTimeout(() => waiter.giveUp(`waited ${timeoutMs} ms`), timeoutMs)
      this.#waiters.add(waiter)
      waiter.look()
    })
  }
}
