import type { ManagerParts } from '../parts.ts'
import { type DeletedExperiment, deleteExperiment, type ExperimentToDelete } from './delete-experiment.ts'
import type { ExperimentParams, ExperimentResult, Untyped } from './experiment-types.ts'
import { type BegunExperiment, beginExperiment, type RunParts, runExperiment } from './run.ts'

/** What an {@link ExperimentManager} is made of. */
export type ExperimentParts = RunParts & Pick<ManagerParts, 'api'>

/** `client.experiment`: tasks run over data, recorded and judged. */
export class ExperimentManager {
  readonly #parts: ExperimentParts

  constructor(parts: ExperimentParts) {
    this.#parts = parts
  }

  /**
   * Runs a task over data, a dataset's or your own, and judges what comes out. Each item becomes a trace; evaluators
   * become its scores. It needs a running pipeline: start Node with `--import @svc/register`. Do not sample meanwhile.
   *
   * A task that throws, and an evaluator that throws, is reported; the run goes on. At the end scores and spans are
   * sent.
   *
   * @throws {TypeError} when there is no name, no data or no task
   * @throws the reason of `abortSignal`, when that is aborted; what was recorded until then is kept
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
   * Begins a run whose items somebody else goes through: a test runner, for `@svc/client/vitest`.
   *
   * @internal
   */
  begin<Input, ExpectedOutput, Metadata, Output>(
    params: ExperimentParams<Input, ExpectedOutput, Metadata, Output>,
  ): Promise<BegunExperiment<Input, ExpectedOutput, Metadata, Output>> {
    return beginExperiment(params, this.#parts)
  }

  /**
   * Deletes an experiment: the traces of its items with their observations and scores, 1,000 at a time. Scores of the
   * run as a whole stay; `api.scores.delete` takes those.
   *
   * @throws {TypeError} without an id and a name
   * @throws {SvcAPIError} when the service refuses; deleting again goes on where this ended
   * @example
   * await client.experiment.delete({ id: result.experimentId })
   */
  delete(experiment: ExperimentToDelete): Promise<DeletedExperiment> {
    return deleteExperiment(experiment, this.#parts.api)
  }
}
