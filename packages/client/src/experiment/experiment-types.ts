import type { ScoreBody } from '@svc/core/score'
import type { ArchivedItems } from './active-items.ts'

/** The default of type arguments. */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` would make every task and evaluator need an annotation.
export type Untyped = any

/** An item of the data: of a dataset, or an object of your own. */
export interface ExperimentItem<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped> {
  /** The input of the task. An item whose input is `undefined` fails. */
  readonly input?: Input
  /** The expected output, for the evaluators. */
  readonly expectedOutput?: ExpectedOutput
  readonly metadata?: Metadata
  /** Id of the dataset item; ignored without `datasetId`. */
  readonly id?: string | number
  readonly datasetId?: string
}

/** The argument of a task: an item with an input. */
export type ExperimentTaskParams<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped> = ExperimentItem<
  Input,
  ExpectedOutput,
  Metadata
> & {
  readonly input: Input
}

/**
 * Second argument of tasks and evaluators: the signal is aborted at the time limit, or when the experiment is aborted.
 */
export interface ExperimentLimits {
  readonly abortSignal: AbortSignal
}

/** The function under test. Spans that it starts become children of the item. */
export type ExperimentTask<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> = (
  item: ExperimentTaskParams<Input, ExpectedOutput, Metadata>,
  limits: ExperimentLimits,
) => Output | PromiseLike<Output>

/** The result of an evaluator. Becomes a score of the item, or of the whole run. */
export type Evaluation = Pick<ScoreBody, 'name' | 'value' | 'comment' | 'metadata' | 'dataType' | 'configId'>

type Evaluations = Evaluation | readonly Evaluation[] | undefined | null

export interface EvaluatorParams<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> {
  readonly input: Input
  readonly output: Output
  readonly expectedOutput?: ExpectedOutput
  readonly metadata?: Metadata
}

/** Evaluates one output. If it throws, that is logged, and the other evaluators still count. */
export type Evaluator<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> = (
  params: EvaluatorParams<Input, ExpectedOutput, Metadata, Output>,
  limits: ExperimentLimits,
) => Evaluations | PromiseLike<Evaluations>

export interface RunEvaluatorParams<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> {
  readonly itemResults: ExperimentItemResult<Input, ExpectedOutput, Metadata, Output>[]
}

/** Evaluates the whole run. */
export type RunEvaluator<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> = (
  params: RunEvaluatorParams<Input, ExpectedOutput, Metadata, Output>,
  limits: ExperimentLimits,
) => Evaluations | PromiseLike<Evaluations>

/** Parameters of `experiment.run`. */
export interface ExperimentParams<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped>
  extends ArchivedItems {
  /** Name of the experiment, for example `gpt-5`. */
  readonly name: string
  /** Runs with the same name over the same dataset are one experiment. Default: `name`, a dash, and the time. */
  readonly runName?: string | undefined
  readonly description?: string | undefined
  /** Metadata of the run: model, commit, … Written to every item. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** The items on which the task runs. */
  readonly data: readonly ExperimentItem<Input, ExpectedOutput, Metadata>[]
  /** The function under test. */
  readonly task: ExperimentTask<Input, ExpectedOutput, Metadata, Output>
  /** Evaluate the output of each item. */
  readonly evaluators?: readonly Evaluator<Input, ExpectedOutput, Metadata, NoInfer<Output>>[] | undefined
  /** Evaluate the run when all items are done. */
  readonly runEvaluators?: readonly RunEvaluator<Input, ExpectedOutput, Metadata, NoInfer<Output>>[] | undefined
  /** Number of items that run concurrently. Default 50. */
  readonly maxConcurrency?: number | undefined
  /** The version of the dataset that `data` is from. Set by `dataset.runExperiment`. */
  readonly datasetVersion?: Date | string | undefined
  /**
   * Time-out of a task, and of each evaluator, in seconds. Then the item, or the evaluation, has failed. Default: none.
   */
  readonly timeoutInSeconds?: number | undefined
  /** Ends the run early: no further item starts, and the promise rejects with the reason of the signal. */
  readonly abortSignal?: AbortSignal | undefined
}

/** What an item took, whether it failed or not. */
export interface ItemFigures {
  /** Seconds of the task. */
  readonly latency: number
  /**
   * Returns what the model calls of the item cost, in USD, as the service computes it. Undefined if it knows of no cost, as
   * long as it has not processed the trace, and without a trace.
   *
   * @throws {SvcAPIError} if the observations of the trace cannot be read
   */
  fetchCost(): Promise<number | undefined>
}

/** An evaluator that failed, so that its score is missing. */
export interface EvaluatorError {
  /** Its name, or `number 2` if it has none. */
  readonly evaluator: string
  readonly error: unknown
}

/** The result of one item. */
export interface ExperimentItemResult<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped>
  extends ItemFigures {
  readonly item: ExperimentItem<Input, ExpectedOutput, Metadata>
  readonly input: Input
  readonly expectedOutput: ExpectedOutput | undefined
  readonly output: Output
  readonly evaluations: Evaluation[]
  readonly evaluatorErrors: readonly EvaluatorError[]
  /** Undefined without a tracer provider, or if a sampler dropped the item. */
  readonly traceId: string | undefined
  /** Id of the experiment, for an item of a dataset. */
  readonly datasetRunId?: string
}

/** An item without an output: its task threw or timed out. */
export interface FailedItem<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped> extends ItemFigures {
  readonly item: ExperimentItem<Input, ExpectedOutput, Metadata>
  readonly error: unknown
  readonly traceId: string | undefined
}

/** The result of an experiment. */
export interface ExperimentResult<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> {
  readonly experimentId: string
  /** URL of the comparison. Undefined if the project could not be fetched. */
  readonly experimentUrl: string | undefined
  readonly runName: string
  /** In the order of the data, without failed items. */
  readonly itemResults: ExperimentItemResult<Input, ExpectedOutput, Metadata, Output>[]
  readonly failedItems: FailedItem<Input, ExpectedOutput, Metadata>[]
  /** Items of the data that did not run, because they are archived. */
  readonly archivedItems: readonly ExperimentItem<Input, ExpectedOutput, Metadata>[]
  /** The same as `experimentId`, for a dataset. */
  readonly datasetRunId: string | undefined
  /** The same as `experimentUrl`, for a dataset. */
  readonly datasetRunUrl: string | undefined
  readonly runEvaluations: Evaluation[]
  /** Returns a report for a terminal. */
  format(options?: FormatOptions): Promise<string>
}

export interface FormatOptions {
  /** Include each item with its input, output and scores. Default false. */
  readonly includeItemResults?: boolean | undefined
}
