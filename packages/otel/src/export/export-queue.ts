import type { ByteBudget } from '@svc/core/delivery/byte-budget'
import type { DeliveryHealth, FlushLimits } from '@svc/core/delivery/delivery'
import type { Outbox } from '@svc/core/outbox'
import type { ReadableSpan } from '../sdk.ts'

/** The health of delivery as far as the queue knows it. */
export type ExportHealth = DeliveryHealth

/** Accepts ended spans and delivers them. Its methods never throw or reject: losses are counted and reported. */
export interface ExportQueue {
  /** Takes a span over. Returns at once. */
  add(span: ReadableSpan): void
  /** Resolves when every span accepted so far has arrived, or when waiting is pointless. */
  flush(limits: FlushLimits): Promise<void>
  readonly pending: number
  /** What bounds the bytes that wait; undefined where spans are counted instead. */
  readonly budget?: ByteBudget
  /** Whether spans can be delivered only by {@link flush}, not by {@link outbox}. */
  readonly needsEventLoop: boolean
  /** Seals all spans and returns them, to be sent without the event loop. */
  outbox(): Outbox | undefined
  /** Closes connections. */
  stop(): Promise<void>
  /** Counts the remaining spans as lost. */
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
