import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { DeliveryHealth } from '@svc/core/delivery-health'

/** Takes finished spans and gets them away. Nothing here throws or rejects: losses are logged. */
export interface Delivery {
  /** Takes a span over. Returns at once. */
  deliver(span: ReadableSpan): void
  /** Resolves when every span taken so far has arrived or been given up, batches in flight included. */
  flush(): Promise<void>
  /** Flushes and lets go of sockets and timers. */
  shutdown(): Promise<void>
  health(): DeliveryHealth
}

/** For spans that are recorded and not sent. */
export const nowhere: Delivery = {
  deliver() {},
  async flush() {},
  async shutdown() {},
  health: () => ({ queued: 0, lastSuccess: undefined, lastFailure: undefined }),
}
