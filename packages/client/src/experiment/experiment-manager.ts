import type { ManagerParts } from '../parts.ts'
import { type DeletedExperiment, deleteExperiment, type ExperimentToDelete } from './delete-experiment.ts'
import type { ExperimentParams, ExperimentResult, Untyped } from './experiment-types.ts'
import { type RunParts, runExperiment, type StartedExperiment, startExperiment } from './run.ts'

/** Arguments of {@link ExperimentManager}. */
export type ExperimentParts = RunParts & Pick<ManagerParts, 'api'>

/** `client.experiment`: runs tasks over data, records and evaluates them. */
export class ExperimentManager {
  readonly #parts: ExperimentParts

  constructor(parts: ExperimentParts) {
    this.#parts = parts
  }

  /**
   * Runs a task over the items of a dataset, or your own data, and evaluates the outputs. Each item becomes a trace
   * with the evaluations as scores. Requires a running pipeline (start Node with `--import @svc/register`) without
   * sampling.
   *
   * A task or an evaluator that throws is logged, and the run continues. Scores and spans are flushed at the end.
   *
   * @throws {TypeError} without a name, data or a task
   * @throws the reason of `abortSignal`, if that is aborted; items recorded until then are kept
   * @example
   * const result = await client.experiment.run({
   *   name: 'capitals',
   *   data: [{ input: 'Norway', expectedOutput: 'Oslo' }],
   *   task: ({ input }) => capitalOf(input),
   *   evaluators: [({ output, expectedOutput }) => ({ name: 'exact', value: output === expectedOutput ? 1 : 0 })],
   * })
   * console.log(await result.format())
   */
  run<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped>(
    params: ExperimentParams<Input, ExpectedOutput, Metadata, Output>,
  ): Promise<ExperimentResult<Input, ExpectedOutput, Metadata, Output>> {
    return runExperiment(params, this.#parts)
  }

  /**
   * Starts a run whose items are processed by the caller: a test runner, for `@svc/client/vitest`.
   *
   * @internal
   */
  start<Input, ExpectedOutput, Metadata, Output>(
    params: ExperimentParams<Input, ExpectedOutput, Metadata, Output>,
  ): Promise<StartedExperiment<Input, ExpectedOutput, Metadata, Output>> {
    return startExperiment(params, this.#parts)
  }

  /**
   * Deletes an experiment: the traces of its items with their observations and scores, 1,000 at a time. Scores of the
   * run as a whole are kept; delete those with `api.scores.delete`.
   *
   * @throws {TypeError} without an id or a name
   * @throws {SvcAPIError} if a request fails; another call deletes the rest
   * @example
   * await client.experiment.delete({ id: result.experimentId })
   */
  delete(experiment: ExperimentToDelete): Promise<DeletedExperiment> {
    return deleteExperiment(experiment, this.#parts.api)
  }
}
