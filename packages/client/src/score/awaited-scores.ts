import type { SealedBatch } from '@svc/core/delivery/sealed-batch'
import { SvcScoreError } from './score-error.ts'
import { scoresIn } from './score-format.ts'

interface Waiter {
  resolve(): void
  reject(error: SvcScoreError): void
}

/** The scores whose delivery a caller awaits, by id. */
export class AwaitedScores {
  readonly #waiters = new Map<string, Set<Waiter>>()

  /** Resolves when the service accepted the score; rejects when it is lost. */
  wait(id: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(id) ?? new Set()
      this.#waiters.set(id, waiters.add({ resolve, reject }))
    })
  }

  has(batch: SealedBatch): boolean {
    return this.#idsIn(batch).length > 0
  }

  taken(batch: SealedBatch): void {
    for (const id of this.#idsIn(batch)) this.#settle(id, ({ resolve }) => resolve())
  }

  lost(batch: SealedBatch, reason: string): void {
    for (const id of this.#idsIn(batch)) this.giveUp(id, reason)
  }

  /** Rejects the promises of a score. */
  giveUp(id: string, reason: string): void {
    this.#settle(id, ({ reject }) => reject(new SvcScoreError(`The score was not taken: ${reason}`)))
  }

  #settle(id: string, tell: (waiter: Waiter) => void): void {
    const waiters = this.#waiters.get(id)
    this.#waiters.delete(id)
    for (const waiter of waiters ?? []) tell(waiter)
  }

  #idsIn({ body }: SealedBatch): string[] {
    if (this.#waiters.size === 0) return []
    return scoresIn(body)
      .map(({ id }) => String(id))
      .filter((id) => this.#waiters.has(id))
  }
}
