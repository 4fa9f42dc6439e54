import type { DeliveryHealth } from '@svc/core/delivery-health'

/** What became of what was sent last. */
export class DeliveryRecord {
  #lastSuccess: DeliveryHealth['lastSuccess']
  #lastFailure: DeliveryHealth['lastFailure']

  succeeded(): void {
    this.#lastSuccess = Date.now()
  }

  failed(reason: string): void {
    this.#lastFailure = { at: Date.now(), reason }
  }

  /** @param queued spans that wait or are under way */
  health(queued: number): DeliveryHealth {
    return { queued, lastSuccess: this.#lastSuccess, lastFailure: this.#lastFailure }
  }
}
