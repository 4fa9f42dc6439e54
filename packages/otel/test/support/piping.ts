import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { Ledger } from '@svc/core/delivery/ledger'
import type { Outbox } from '@svc/core/outbox'
import { DIRECT } from '@svc/core/transport'
import type { ExportQueue } from '../../src/export/export-queue.ts'
import { SPANS } from '../../src/export/span-format.ts'
import { Pipeline, type PipelineParts, type Step } from '../../src/pipeline.ts'

export const LIMITS = { idleMs: 1_000, totalMs: 30_000 }

export const named = (name: string): ReadableSpan =>
  ({
    name,
    attributes: {},
    spanContext: () => ({ traceId: 't', spanId: 's', traceFlags: 1 }),
  }) as unknown as ReadableSpan

/** A step that appends to the name of a span, synchronously. */
export const add =
  (text: string): Step =>
  (span) => ({ ...span, name: span.name + text })

/** A step that ends when a test calls `end` or `fail`. */
export function slow(text: string, isOptional?: true) {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = []
  const step: Step = (span) =>
    new Promise((resolve, reject) => {
      ends.push({ resolve: () => resolve({ ...span, name: span.name + text }), reject })
    })
  return {
    step: isOptional ? Object.assign(step, { isOptional }) : step,
    end: () => {
      for (const { resolve } of ends.splice(0)) resolve()
      return turn()
    },
    fail: (error: Error) => {
      for (const { reject } of ends.splice(0)) reject(error)
      return turn()
    },
  }
}

/** One turn of the event loop. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))
export const forEver = () => new Promise<never>(() => {})

/** A pipeline before a queue that keeps what it is given until `send` takes it. */
export function piping(parts: Partial<Omit<PipelineParts, 'ledger'>> = {}) {
  const events: string[] = []
  const held: string[] = []
  const ledger = new Ledger(SPANS)
  const outbox: Outbox = { transport: DIRECT, take: () => undefined, wait: () => undefined }
  const queue: ExportQueue = {
    add(span) {
      events.push(span.name)
      held.push(span.name)
    },
    flush: async () => void events.push('queue flushed'),
    get pending() {
      return held.length
    },
    needsEventLoop: false,
    outbox: () => outbox,
    stop: async () => void events.push('queue stopped'),
    close() {
      events.push('queue closed')
      ledger.dropAtEnd(held.length, { kind: 'gave up', text: 'Gave up.' })
      held.length = 0
    },
    health: () => ({ state: 'ok', pendingBytes: 0, lastSuccess: undefined, lastFailure: undefined }),
  }
  const send = () => {
    ledger.send(held.length)
    held.length = 0
  }
  const pipeline = new Pipeline({ steps: [], queue, ledger, ...parts })
  return { events, pipeline, send, ledger, outbox, queue }
}
