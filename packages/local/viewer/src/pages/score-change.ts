import type { RunItem } from '../../../src/trace/pages/experiments.ts'
import { comparable } from '../content/diff.tsx'
import { scoreValue } from '../scores.tsx'

/** An item of a run, and the one with its id of another run. */
export interface ItemPair {
  readonly mine: RunItem
  readonly theirs: RunItem | undefined
}

/** What became of a score, as it is shown; undefined where a run has none. */
export interface ScoreChange {
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
  /** `other` where neither is better: categories, or only one of them was scored. */
  readonly kind: 'better' | 'worse' | 'other' | 'same'
}

/** @param smaller names of the scores of which a smaller one is better */
export function changesOf({ mine, theirs }: ItemPair, smaller: readonly string[]): readonly ScoreChange[] {
  const [before, after] = [latestOf(theirs), latestOf(mine)]
  return [...new Set([...after.keys(), ...before.keys()])].map((name) => {
    const [one, other] = [before.get(name), after.get(name)]
    return {
      name,
      before: one && scoreValue(one),
      after: other && scoreValue(other),
      kind: theirs ? kindOf(one?.value, other?.value, smaller.includes(name)) : 'same',
    }
  })
}

const latestOf = (item: RunItem | undefined) => new Map(item?.scores.map((score) => [score.name, score]))

function kindOf(before: unknown, after: unknown, isSmallerBetter: boolean): ScoreChange['kind'] {
  if (before === after) return 'same'
  if (typeof before !== 'number' || typeof after !== 'number') return 'other'
  return after < before === isSmallerBetter ? 'better' : 'worse'
}

/** Whether an item failed that did not, or has a score that got worse. */
export const isWorse = (pair: ItemPair, smaller: readonly string[]): boolean =>
  pair.theirs !== undefined &&
  ((pair.mine.failed && !pair.theirs.failed) || changesOf(pair, smaller).some(({ kind }) => kind === 'worse'))

/** Whether an item has another output, or other scores, or is new. */
export const isDifferent = (pair: ItemPair): boolean =>
  pair.theirs === undefined ||
  pair.mine.failed !== pair.theirs.failed ||
  comparable(pair.mine.output) !== comparable(pair.theirs.output) ||
  changesOf(pair, []).some(({ kind }) => kind !== 'same')
