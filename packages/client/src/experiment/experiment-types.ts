import type { ScoreBody } from '@svc/core/score'

/** The type of what nobody gave a type: usable as it is. */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` would make every task and evaluator need an annotation.
export type Untyped = any

/** What a task is run on: an item of a dataset, or an object of your own. */
export interface ExperimentItem<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped> {
  /** What the task gets. An item whose input is `undefined` fails. */
  readonly input?: Input
  /** What a good output would be, for the evaluators. */
  readonly expectedOutput?: ExpectedOutput
  readonly metadata?: Metadata
  /** Together with `datasetId` what makes it an item of a dataset; alone it has no meaning here. */
  readonly id?: string | number
  readonly datasetId?: string
}

/** What a task gets: an item of a dataset, or your own. */
export type ExperimentTaskParams<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped> = ExperimentItem<
  Input,
  ExpectedOutput,
  Metadata
> & {
  readonly input: Input
}

/** Ends a task or an evaluator early: at its time limit, or when the experiment is aborted. */
export interface ExperimentLimits {
  readonly abortSignal: AbortSignal
}

/** The work under test. Whatever it calls is recorded below the item. */
export type ExperimentTask<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> = (
  item: ExperimentTaskParams<Input, ExpectedOutput, Metadata>,
  limits: ExperimentLimits,
) => Output | PromiseLike<Output>

/** One judgement. Becomes a score of the item, or of the whole run. */
export type Evaluation = Pick<ScoreBody, 'name' | 'value' | 'comment' | 'metadata' | 'dataType' | 'configId'>

type Evaluations = Evaluation | readonly Evaluation[] | undefined | null

export interface EvaluatorParams<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> {
  readonly input: Input
  readonly output: Output
  readonly expectedOutput?: ExpectedOutput
  readonly metadata?: Metadata
}

/** Judges one output. One that throws is reported; the others go on. */
export type Evaluator<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> = (
  params: EvaluatorParams<Input, ExpectedOutput, Metadata, Output>,
  limits: ExperimentLimits,
) => Evaluations | PromiseLike<Evaluations>

export interface RunEvaluatorParams<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> {
  readonly itemResults: ExperimentItemResult<Input, ExpectedOutput, Metadata, Output>[]
}

/** Judges the whole run. */
export type RunEvaluator<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> = (
  params: RunEvaluatorParams<Input, ExpectedOutput, Metadata, Output>,
  limits: ExperimentLimits,
) => Evaluations | PromiseLike<Evaluations>

/** What `experiment.run` does. */
export interface ExperimentParams<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> {
  /** What is tried out, for example `gpt-5`. */
  readonly name: string
  /** Runs of one name over one dataset are one experiment. Default: `name`, a dash, and the time. */
  readonly runName?: string | undefined
  readonly description?: string | undefined
  /** Facts about the run: model, commit, … Written on every item. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** What the task is run on. */
  readonly data: readonly ExperimentItem<Input, ExpectedOutput, Metadata>[]
  /** The work under test. */
  readonly task: ExperimentTask<Input, ExpectedOutput, Metadata, Output>
  /** Judge the output of each item. */
  readonly evaluators?: readonly Evaluator<Input, ExpectedOutput, Metadata, NoInfer<Output>>[] | undefined
  /** Judge the run, when all items are done. */
  readonly runEvaluators?: readonly RunEvaluator<Input, ExpectedOutput, Metadata, NoInfer<Output>>[] | undefined
  /** Items at work at the same time. Default 50. */
  readonly maxConcurrency?: number | undefined
  /** The time whose items `data` are. Set by `dataset.runExperiment`. */
  readonly datasetVersion?: Date | string | undefined
  /** Seconds that a task, and each evaluator, may take. After that the item, or the judgement, has failed. Default: none. */
  readonly timeoutInSeconds?: number | undefined
  /** Ends the run early: no further item starts, and the promise rejects with the reason of the signal. */
  readonly abortSignal?: AbortSignal | undefined
}

/** What came of one item. */
export interface ExperimentItemResult<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> {
  readonly item: ExperimentItem<Input, ExpectedOutput, Metadata>
  readonly input: Input
  readonly expectedOutput: ExpectedOutput | undefined
  readonly output: Output
  readonly evaluations: Evaluation[]
  /** Undefined when nothing is traced, or when a sampler dropped the item. */
  readonly traceId: string | undefined
  /** The experiment, for an item of a dataset. */
  readonly datasetRunId?: string
}

/** An item without an output: its task threw, or took too long. */
export interface FailedItem<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped> {
  readonly item: ExperimentItem<Input, ExpectedOutput, Metadata>
  readonly error: unknown
  readonly traceId: string | undefined
}

/** What came of an experiment. */
export interface ExperimentResult<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped> {
  readonly experimentId: string
  /** The comparison view. Undefined when the service could not be asked for the project. */
  readonly experimentUrl: string | undefined
  readonly runName: string
  /** In the order of the data, without the items that failed. */
  readonly itemResults: ExperimentItemResult<Input, ExpectedOutput, Metadata, Output>[]
  readonly failedItems: FailedItem<Input, ExpectedOutput, Metadata>[]
  /** The same as `experimentId`, for a dataset. */
  readonly datasetRunId: string | undefined
  /** The same as `experimentUrl`, for a dataset. */
  readonly datasetRunUrl: string | undefined
  readonly runEvaluations: Evaluation[]
  /** The run as a report for a terminal. */
  format(options?: FormatOptions): Promise<string>
}

export interface FormatOptions {
  /** Show each item, with its input, output and scores. Default false. */
  readonly includeItemResults?: boolean | undefined
}
