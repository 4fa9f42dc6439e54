import type { DeliveryHealth, FlushLimits } from '@svc/core/delivery/delivery'
import type { Outbox } from '@svc/core/outbox'
import type { ReadableSpan } from '../sdk.ts'

/** What a queue knows of the way behind it. */
export type ExportHealth = DeliveryHealth

/** Takes finished spans and delivers them. Nothing here throws or rejects: losses are counted and reported. */
export interface ExportQueue {
  /** Takes a span over. Returns at once. */
  add(span: ReadableSpan): void
  /** Resolves when every span taken so far has arrived, or when it is no use to wait for it. */
  flush(limits: FlushLimits): Promise<void>
  /** Spans that are here. */
  readonly pending: number
  /** Whether only {@link flush} gets spans away, and no {@link outbox}. */
  readonly needsEventLoop: boolean
  /** What is here, sealed, for whoever sends it without the event loop. */
  outbox(): Outbox | undefined
  /** Lets go of connections. */
  stop(): Promise<void>
  /** What is still here is lost. */
  close(): void
  /** The process, or the pipeline, goes on after {@link outbox} or {@link close}. */
  goOn?(): void
  health(): ExportHealth
}

/** For spans that are recorded and not sent. */
export const nowhere: ExportQueue = {
  add() {},
  async flush() {},
  pending: 0,
  needsEventLoop: false,
  outbox: () => undefined,
  async stop() {},
  close() {},
  health: () => ({ state: 'off', pendingBytes: 0, lastSuccess: undefined, lastFailure: undefined }),
}
