import type { SvcHealth } from '@svc/core/health'
import { expect } from 'vitest'

/** `ended = sent + pending + dropped`, always; and nothing of it is less than nothing. */
export function expectToAddUp({ ended, sent, pending, dropped }: SvcHealth): void {
  const reasons = Object.values(dropped)
  expect(Math.min(ended, sent, pending, ...reasons)).toBeGreaterThanOrEqual(0)
  const lost = reasons.reduce((sum, spans) => sum + spans, 0)
  expect({ ended, sent, pending, dropped }).toEqual({ ended: sent + pending + lost, sent, pending, dropped })
}

/** How many spans these lines of the log say are lost, all together. */
export function reportedLosses(lines: readonly string[]): number {
  return lines
    .flatMap((line) => [...line.matchAll(/(\d+) spans? (?:is|are) lost/g)])
    .reduce((sum, [, count]) => sum + Number(count), 0)
}
