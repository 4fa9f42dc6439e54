import { randomBytes } from 'node:crypto'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { ByteBudget } from '@svc/core/delivery/byte-budget'
import { RequestForm } from '@svc/core/delivery/request-form'
import type { SealedBatch } from '@svc/core/delivery/sealed-batch'
import { Batcher, type BatcherParts } from '../../src/export/batcher.ts'
import { PROTOBUF } from '../../src/export/protobuf.ts'
import { encoded, plainSpan } from './batches.ts'
import { fakeClock } from './clock.ts'

/** The resource of all spans that share a batch. */
export const { resource } = plainSpan('')

/** A batcher that seals only when a test says so, and all that it sealed. */
export function batching(overrides: Partial<BatcherParts> = {}, random = 0) {
  const clock = fakeClock(random)
  const budget = overrides.budget ?? new ByteBudget(64 * 1_048_576)
  const form = overrides.form ?? new RequestForm(true)
  const sealed: SealedBatch[] = []
  const batcher = new Batcher({
    size: 1_000,
    everyMs: 3_600_000,
    resourceMs: 5_000,
    encoding: PROTOBUF,
    compression: 'none',
    form,
    budget,
    clock,
    onSealed: (batch) => void sealed.push(batch),
    ...overrides,
  })
  const addSpan = (span: ReadableSpan) => {
    const bytes = encoded(span)
    batcher.add(span, bytes)
    return bytes.length
  }
  const add = (...spans: readonly string[]) => {
    for (const name of spans) addSpan(plainSpan(name, { resource }))
  }
  return { clock, budget, form, sealed, batcher, addSpan, add, counts: () => sealed.map(({ items }) => items) }
}

/** A span of about so many bytes, which nothing makes smaller. */
export const noise = (bytes: number, name = 'noise'): ReadableSpan =>
  plainSpan(name, { resource, attributes: { bytes: randomBytes(bytes) as unknown as string } })

/** Resource attributes that are resolved when a test calls `learn`. */
export function lateResource() {
  const attributes: Record<string, string> = { 'service.name': 'late' }
  let settle = () => {}
  const waiting = new Promise<void>((resolve) => {
    settle = resolve
  })
  const late = { attributes, asyncAttributesPending: true, waitForAsyncAttributes: () => waiting }
  const learn = async () => {
    attributes['host.name'] = 'h1'
    late.asyncAttributesPending = false
    settle()
    await turn()
  }
  return { late: late as unknown as ReadableSpan['resource'], learn }
}

/** One turn of the event loop. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))
