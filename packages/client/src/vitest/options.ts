import { isFields } from '@svc/core/json'
import type { SvcClient } from '../client.ts'
import type { FetchedDataset } from '../dataset/dataset-types.ts'
import type { ExperimentItem, ExperimentParams, Untyped } from '../experiment/experiment-types.ts'
import { misuse } from '../misuse.ts'

/** Limits of a score. */
export interface Threshold {
  /** Minimum of the mean over all items, or of the score of the run. */
  readonly mean?: number | undefined
  /** Minimum of the score of each item; an item below it is a failed test. */
  readonly min?: number | undefined
  /** Maximum of the score of each item. With only this limit, smaller scores are better. */
  readonly max?: number | undefined
}

/** Items of your own, or a dataset. */
export type ExperimentData<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped> =
  | readonly ExperimentItem<Input, ExpectedOutput, Metadata>[]
  | Pick<FetchedDataset<Input, ExpectedOutput, Metadata>, 'items' | 'version'>

/** Options of `svcExperiment`. */
export interface SvcExperimentOptions<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped>
  extends Omit<
    ExperimentParams<Input, ExpectedOutput, Metadata, Output>,
    'name' | 'data' | 'maxConcurrency' | 'abortSignal' | 'datasetVersion'
  > {
  /** Items, a dataset, or a function that fetches it: `(client) => client.dataset.get('capitals')`. */
  readonly data:
    | ExperimentData<Input, ExpectedOutput, Metadata>
    | ((
        client: SvcClient,
      ) =>
        | ExperimentData<Input, ExpectedOutput, Metadata>
        | PromiseLike<ExperimentData<Input, ExpectedOutput, Metadata>>)
  /** Limits of scores by name. A number is the minimum of the mean. Default: none. */
  readonly thresholds?: Readonly<Record<string, number | Threshold>> | undefined
  /**
   * The run to compare with: the newest with this name, or whose name starts with it and ` - `; false for none.
   * Default: the name of the experiment, so the last run.
   */
  readonly baseline?: string | false | undefined
  /**
   * How much worse than in the baseline a score of an item may be, for all scores or by name; `Infinity` disables the
   * comparison. Default 0.
   */
  readonly tolerance?: number | Readonly<Record<string, number>> | undefined
  /** Time-out of a task, and of each evaluator, in seconds. Default 60. */
  readonly timeoutInSeconds?: number | undefined
  /** Returns the name of an item's test. Default: the beginning of its input. */
  readonly title?: ((item: ExperimentItem<Input, ExpectedOutput, Metadata>) => string) | undefined
  /** Folder for `<name>.json` and `<name>.md`. Variable: `SVC_EXPERIMENT_SUMMARY_DIR`. Default: no files. */
  readonly summaryDir?: string | undefined
  /** Default: `new SvcClient()`. Spans are always sent with the keys of the environment. */
  readonly client?: SvcClient | undefined
}

/** @throws {TypeError} for an invalid threshold, tolerance or baseline */
export function thresholdsOf({
  thresholds = {},
  tolerance = 0,
  baseline,
}: Pick<SvcExperimentOptions, 'thresholds' | 'tolerance' | 'baseline'>): Readonly<Record<string, Threshold>> {
  for (const each of isFields(tolerance) ? Object.values(tolerance) : [tolerance])
    if (!(typeof each === 'number' && each >= 0))
      throw misuse('svcExperiment', 'a tolerance that is a number from 0, or such by the names of scores', each)
  if (baseline !== undefined && baseline !== false && (typeof baseline !== 'string' || baseline === ''))
    throw misuse('svcExperiment', 'a baseline that is the name of a run, or false', baseline)
  if (!isFields(thresholds)) throw misuse('svcExperiment', 'thresholds by the names of scores', thresholds)
  return Object.fromEntries(
    Object.entries(thresholds).map(([score, given]) => [score, checked(score, toThreshold(given))]),
  )
}

const toThreshold = (given: unknown): unknown => (typeof given === 'number' ? { mean: given } : given)

const LIMITS = ['mean', 'min', 'max'] as const

function checked(score: string, threshold: unknown): Threshold {
  const limits = isFields(threshold) ? Object.entries(threshold).filter(([, limit]) => limit !== undefined) : []
  const fit = limits.every(([name, limit]) => LIMITS.some((each) => each === name) && Number.isFinite(limit))
  if (limits.length === 0 || !fit)
    throw misuse('svcExperiment', `a threshold of "${score}" that is a number, or has mean, min or max`, threshold)
  return Object.fromEntries(limits)
}
