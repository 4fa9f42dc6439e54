import { own } from '@svc/core/own'
import type { Threshold } from './options.ts'

/** Numeric scores by name. */
export type ScoreValues = Readonly<Record<string, number>>

/** An item with its scores, by an id that is the same in every run. */
export interface Scored {
  readonly itemId: string
  readonly scores: ScoreValues
}

/** A score of an item that is worse than in the baseline. */
export interface Worse {
  readonly itemId: string
  readonly score: string
  readonly before: number
  readonly now: number
}

/** How much worse a score may be: one number for all scores, or by name. */
export type Tolerance = number | Readonly<Record<string, number>>

/**
 * Returns the scores that are worse by more than `tolerance`. Scores and items that only one of the runs has are not
 * compared.
 */
export function worseThan(
  before: readonly Scored[],
  now: readonly Scored[],
  thresholds: Readonly<Record<string, Threshold>>,
  tolerance: Tolerance,
): Worse[] {
  const baseline = byItem(before)
  const allowed = (score: string) => (typeof tolerance === 'number' ? tolerance : (own(tolerance, score) ?? 0))
  return [...byItem(now)].flatMap(([itemId, scores]) => {
    const earlier = baseline.get(itemId) ?? {}
    return Object.entries(scores)
      .map(([score, value]) => ({ itemId, score, before: own(earlier, score) ?? Number.NaN, now: value }))
      .filter((each) => lossOf(each, own(thresholds, each.score)) > allowed(each.score))
  })
}

// For rounding errors: 0.8 - 0.7 is more than 0.1.
const ROUNDING = 1e-9

function lossOf({ before, now }: Worse, threshold: Threshold | undefined): number {
  return (isSmallerBetter(threshold) ? now - before : before - now) - ROUNDING
}

function isSmallerBetter(threshold: Threshold | undefined): boolean {
  return threshold?.max !== undefined && threshold.mean === undefined && threshold.min === undefined
}

/** Merges items with the same id (equal inputs) into one, with the means of their scores. */
function byItem(items: readonly Scored[]): Map<string, ScoreValues> {
  const all = new Map<string, ScoreValues[]>()
  for (const { itemId, scores } of items) all.set(itemId, [...(all.get(itemId) ?? []), scores])
  return new Map([...all].map(([itemId, alike]) => [itemId, meansOf(alike)]))
}

/** Returns the mean of each score over the items that have it. */
export function meansOf(all: readonly ScoreValues[]): ScoreValues {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const [name, value] of all.flatMap((scores) => Object.entries(scores))) {
    const { sum, count } = sums.get(name) ?? { sum: 0, count: 0 }
    sums.set(name, { sum: sum + value, count: count + 1 })
  }
  return Object.fromEntries([...sums].map(([name, { sum, count }]) => [name, sum / count]))
}
