import type { ExperimentResult, Untyped } from './experiment-types.ts'

/** Options of a {@link RegressionError} without a metric. */
export interface RegressionErrorMessageOptions<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped> {
  readonly result: ExperimentResult<Input, ExpectedOutput, Metadata>
  readonly message?: string | undefined
  readonly metric?: undefined
  readonly value?: undefined
  readonly threshold?: undefined
}

/** Options of a {@link RegressionError} for a metric. */
export interface RegressionErrorMetricOptions<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped> {
  readonly result: ExperimentResult<Input, ExpectedOutput, Metadata>
  readonly message?: string | undefined
  readonly metric: string
  readonly value: number
  readonly threshold?: number | undefined
}

/** Options of {@link RegressionError}: a message or a metric. */
export type RegressionErrorOptions<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped> =
  | RegressionErrorMessageOptions<Input, ExpectedOutput, Metadata>
  | RegressionErrorMetricOptions<Input, ExpectedOutput, Metadata>

/** Throw this if the result of an experiment is too bad, so that a build fails. */
export class RegressionError<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped> extends Error {
  override readonly name = 'RegressionError'
  readonly result: ExperimentResult<Input, ExpectedOutput, Metadata>
  readonly metric: string | undefined
  readonly value: number | undefined
  readonly threshold: number | undefined

  constructor({ result, message, metric, value, threshold }: RegressionErrorOptions<Input, ExpectedOutput, Metadata>) {
    super(message ?? describeMetric(metric, value, threshold))
    this.result = result
    this.metric = metric
    this.value = value
    this.threshold = threshold
  }
}

function describeMetric(metric: string | undefined, value: number | undefined, threshold: number | undefined): string {
  if (metric === undefined) return 'The experiment is worse than allowed.'
  const limit = threshold === undefined ? '' : ` (threshold ${threshold})`
  return `The experiment is worse than allowed: ${metric} is ${value}${limit}.`
}
