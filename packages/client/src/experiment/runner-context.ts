import type { ExperimentManager } from './experiment-manager.ts'
import type { ExperimentItem, ExperimentParams, ExperimentResult, Untyped } from './experiment-types.ts'

/** Options of {@link RunnerContext}, shared by its runs. */
export interface RunnerContextOptions<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped> {
  readonly client: { readonly experiment: Pick<ExperimentManager, 'run'> }
  readonly data?: readonly ExperimentItem<Input, ExpectedOutput, Metadata>[] | undefined
  readonly datasetVersion?: Date | string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** Parameters of {@link RunnerContext.runExperiment}: `data` may come from the context. */
export type RunnerContextExperimentParams<
  Input = Untyped,
  ExpectedOutput = Untyped,
  Metadata = Untyped,
  Output = Untyped,
> = Omit<ExperimentParams<Input, ExpectedOutput, Metadata, Output>, 'data'> &
  Partial<Pick<ExperimentParams<Input, ExpectedOutput, Metadata, Output>, 'data'>>

/** Shares data, version and metadata between experiments. Parameters of a call take precedence; metadata is merged. */
export class RunnerContext<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped> {
  readonly client: RunnerContextOptions['client']
  readonly data: RunnerContextOptions<Input, ExpectedOutput, Metadata>['data']
  readonly datasetVersion: Date | string | undefined
  readonly metadata: Readonly<Record<string, unknown>> | undefined

  constructor({ client, data, datasetVersion, metadata }: RunnerContextOptions<Input, ExpectedOutput, Metadata>) {
    this.client = client
    this.data = data
    this.datasetVersion = datasetVersion
    this.metadata = metadata
  }

  /**
   * Runs an experiment with the data, version and metadata of this context, unless `params` has its own.
   *
   * @throws {TypeError} if neither has data
   */
  async runExperiment<Output = Untyped>(
    params: RunnerContextExperimentParams<Input, ExpectedOutput, Metadata, Output>,
  ): Promise<ExperimentResult<Input, ExpectedOutput, Metadata, Output>> {
    const data = params.data ?? this.data
    if (data === undefined) {
      throw new TypeError('svc: RunnerContext has no data: pass it to the context, or to runExperiment.')
    }
    const metadata = params.metadata || this.metadata ? { ...this.metadata, ...params.metadata } : undefined
    const datasetVersion = params.datasetVersion ?? this.datasetVersion
    return this.client.experiment.run({ ...params, data, datasetVersion, metadata })
  }
}
