import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { DeliveryHealth } from '@svc/core/delivery-health'
import { log } from '@svc/core/log'
import type { Delivery } from './delivery/delivery.ts'
import { spanCount } from './delivery/failures.ts'

/** One thing done to a span on its way: gives it back, or an altered view of it, at once or later. */
export type Step = (span: ReadableSpan) => ReadableSpan | Promise<ReadableSpan>

/** Work that goes on beside the spans (media uploads) and that a flush waits for. Never rejects. */
export interface Background {
  flush(): Promise<void>
  shutdown(): Promise<void>
}

export interface PipelineParts {
  readonly steps: readonly Step[]
  readonly delivery: Delivery
  readonly background?: Background | undefined
  readonly onDelivered?: ((span: ReadableSpan) => void) | undefined
}

// Masks have a time limit each, so this many means that they cannot keep up.
const CAPACITY = 10_000

/** Takes wanted spans through the steps and hands them to delivery: in the same call unless a step needs time. */
export class Pipeline {
  readonly #parts: PipelineParts
  #steps: readonly Step[]
  readonly #pending = new Set<Promise<void>>()
  #dropped = 0

  constructor(parts: PipelineParts) {
    this.#parts = parts
    this.#steps = parts.steps
  }

  /** Adds a step in front of the others, for the spans that end from now on. */
  prepend(step: Step): void {
    this.#steps = [step, ...this.#steps]
  }

  /** @param complete the span with what is still to be said of it; where too many wait, it goes without */
  take(span: ReadableSpan, complete?: Promise<ReadableSpan>): void {
    const later = this.#pending.size < CAPACITY ? complete : undefined
    const result = later ? later.then((whole) => through(this.#steps, whole)) : through(this.#steps, span)
    if (result instanceof Promise) this.#wait(span, result)
    else this.#deliver(result)
  }

  /**
   * Contract 1.9: waits for spans still in the steps, then for delivery and uploads. Those two side by side: a process
   * that ends has little time, and a storage that hangs must not cost the spans. Never rejects.
   */
  async flush(): Promise<void> {
    await Promise.all(this.#pending)
    this.#reportDropped()
    const { delivery, background } = this.#parts
    await Promise.all([settled(delivery.flush()), settled(background?.flush())])
  }

  /** How delivery is doing. What is still in the steps waits, too. */
  health(): DeliveryHealth {
    const health = this.#parts.delivery.health()
    return { ...health, queued: health.queued + this.#pending.size }
  }

  async shutdown(): Promise<void> {
    await Promise.all(this.#pending)
    this.#reportDropped()
    const { delivery, background } = this.#parts
    await Promise.all([settled(delivery.shutdown()), settled(background?.shutdown())])
  }

  #deliver(span: ReadableSpan): void {
    this.#parts.delivery.deliver(span)
    this.#parts.onDelivered?.(span)
    if (log.debugging()) log.debug(`processed span "${span.name}"`, described(span))
  }

  #wait(span: ReadableSpan, result: Promise<ReadableSpan>): void {
    const full = this.#pending.size >= CAPACITY
    if (full) this.#dropped++
    const done: Promise<void> = result
      .then((ready) => full || this.#deliver(ready))
      .catch((error: unknown) => log.error(`The span "${span.name}" could not be prepared and is lost:`, error))
      .then(() => void this.#pending.delete(done))
    if (!full) this.#pending.add(done)
  }

  #reportDropped(): void {
    if (this.#dropped > 0) log.warn(`${spanCount(this.#dropped)} lost: ${CAPACITY} were still being masked.`)
    this.#dropped = 0
  }
}

function through(steps: readonly Step[], span: ReadableSpan): ReadableSpan | Promise<ReadableSpan> {
  let current = span
  for (const [at, step] of steps.entries()) {
    const next = step(current)
    if (next instanceof Promise) return next.then((ready) => through(steps.slice(at + 1), ready))
    current = next
  }
  return current
}

async function settled(work: Promise<void> | undefined): Promise<void> {
  try {
    await work
  } catch (error) {
    log.error('A flush failed:', error)
  }
}

function described(span: ReadableSpan) {
  const { traceId, spanId } = span.spanContext()
  return {
    name: span.name,
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId,
    attributes: span.attributes,
    startTime: span.startTime,
    endTime: span.endTime,
    resource: span.resource?.attributes,
    scope: span.instrumentationScope,
  }
}
