import type { ExperimentResult } from './experiment-types.ts'

/** What a {@link RegressionError} says: a message, or the figure that fell short. */
export type RegressionErrorParams = { readonly result: ExperimentResult; readonly message?: string | undefined } & (
  | { readonly metric?: undefined; readonly value?: undefined; readonly threshold?: undefined }
  | { readonly metric: string; readonly value: number; readonly threshold?: number | undefined }
)

/** To throw where an experiment came out worse than it may, so that a build fails. Carries the result. */
export class RegressionError extends Error {
  override readonly name = 'RegressionError'
  readonly result: ExperimentResult
  readonly metric: string | undefined
  readonly value: number | undefined
  readonly threshold: number | undefined

  constructor({ result, message, metric, value, threshold }: RegressionErrorParams) {
    super(message ?? said(metric, value, threshold))
    this.result = result
    this.metric = metric
    this.value = value
    this.threshold = threshold
  }
}

function said(metric: string | undefined, value: number | undefined, threshold: number | undefined): string {
  if (metric === undefined) return 'The experiment came out worse than it may.'
  const limit = threshold === undefined ? '' : ` (threshold ${threshold})`
  return `The experiment came out worse than it may: ${metric} is ${value}${limit}.`
}
