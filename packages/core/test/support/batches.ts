import type { SealedBatch } from '../../src/delivery/sealed-batch.ts'

/** A sealed batch of items with these names: their JSON, with room around each as a real item has. */
export function batchOf(names: readonly string[], overrides: Partial<SealedBatch> = {}): SealedBatch {
  const body = new TextEncoder().encode(JSON.stringify(names.map((name) => name.padEnd(100))))
  return { body, isCompressed: false, rawSize: body.length, items: names.length, sealedAt: 0, epoch: 0, ...overrides }
}

/** `s0`, `s1`, … */
export const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `s${at}`)
