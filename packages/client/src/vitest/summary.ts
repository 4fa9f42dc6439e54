import { own } from '@svc/core/own'
import type { Evaluation, ExperimentResult } from '../experiment/experiment-types.ts'
import type { Baseline } from './baseline.ts'
import { meansOf, type ScoreValues, type Tolerance, type Worse, worseThan } from './compare.ts'
import type { Threshold } from './options.ts'

/** One item of an experiment, in its summary. */
export interface SummaryItem {
  /** The same in every run: the id of the dataset item, or a hash of the input. */
  readonly itemId: string
  /** The name of its test. */
  readonly title: string
  /** Numeric scores by name. */
  readonly scores: ScoreValues
  /** The error of a failed item. */
  readonly error?: string
  readonly traceId?: string
}

/** One score of an experiment, in its summary. */
export interface SummaryScore {
  readonly name: string
  /** The mean over the items, or the value of a run evaluator. */
  readonly value: number
  /** The mean over the same items in the baseline. */
  readonly before?: number
  readonly threshold?: Threshold
}

/** The summary of an experiment: the content of the file `<name>.json`. */
export interface ExperimentSummary {
  readonly name: string
  readonly runName: string
  readonly passed: boolean
  readonly experimentUrl?: string
  /** Name of the run to compare with. */
  readonly baseline?: string
  /** Number of items in the data; larger than that of `items` if tests were skipped. */
  readonly total: number
  readonly items: readonly SummaryItem[]
  readonly scores: readonly SummaryScore[]
  /** Scores of items that are worse than in the baseline. */
  readonly worse: readonly (Worse & { readonly title: string })[]
  /** Thresholds that were missed by the run as a whole. */
  readonly missed: readonly { readonly score: string; readonly value: number | undefined; readonly mean: number }[]
}

/** Arguments of {@link summaryOf}. */
export interface Summarized {
  readonly name: string
  readonly result: Pick<ExperimentResult, 'runName' | 'experimentUrl' | 'runEvaluations'>
  readonly items: readonly SummaryItem[]
  readonly total: number
  readonly baseline: Baseline | undefined
  readonly thresholds: Readonly<Record<string, Threshold>>
  readonly tolerance: Tolerance
  /** Whether a test of an item failed. */
  readonly failed: boolean
}

export function summaryOf(summarized: Summarized): ExperimentSummary {
  const { name, result, items, total, baseline, thresholds, tolerance } = summarized
  const worse = worseThan(baseline?.items ?? [], items, thresholds, tolerance)
  const scores = scoresOf(summarized)
  // The mean of a part of the data is not compared with thresholds.
  const missed = items.length < total ? [] : missedBy(scores, thresholds)
  const titles = new Map(items.map(({ itemId, title }) => [itemId, title]))
  return {
    name,
    runName: result.runName,
    passed: !summarized.failed && worse.length === 0 && missed.length === 0,
    ...(result.experimentUrl === undefined ? {} : { experimentUrl: result.experimentUrl }),
    ...(baseline ? { baseline: baseline.runName } : {}),
    ...{ total, items, scores, missed },
    worse: worse.map((each) => ({ ...each, title: titles.get(each.itemId) ?? each.itemId })),
  }
}

function scoresOf({ result, items, baseline, thresholds }: Summarized): SummaryScore[] {
  const compared = new Set(items.map(({ itemId }) => itemId))
  const before = meansOf(
    (baseline?.items ?? []).filter(({ itemId }) => compared.has(itemId)).map((each) => each.scores),
  )
  const now = { ...meansOf(items.map(({ scores }) => scores)), ...numbersOf(result.runEvaluations) }
  return Object.entries(now).map(([name, value]) => {
    const [earlier, threshold] = [own(before, name), own(thresholds, name)]
    return {
      ...{ name, value },
      ...(earlier === undefined ? {} : { before: earlier }),
      ...(threshold === undefined ? {} : { threshold }),
    }
  })
}

function missedBy(scores: readonly SummaryScore[], thresholds: Readonly<Record<string, Threshold>>) {
  return Object.entries(thresholds).flatMap(([score, { mean }]) => {
    const value = scores.find(({ name }) => name === score)?.value
    return mean === undefined || (value !== undefined && value >= mean) ? [] : [{ score, value, mean }]
  })
}

/** Returns the numeric scores among evaluations. */
export function numbersOf(evaluations: readonly Evaluation[]): ScoreValues {
  return Object.fromEntries(
    evaluations.flatMap(({ name, value }) => (typeof value === 'number' ? [[name, value] as const] : [])),
  )
}
