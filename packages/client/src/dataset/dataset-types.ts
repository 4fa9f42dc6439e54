import type { CreateDatasetItemRequest, DatasetItem } from '../api/types/dataset-items.ts'
import type { Dataset } from '../api/types/datasets.ts'
import type { ExperimentParams, ExperimentResult, Untyped } from '../experiment/experiment-types.ts'

/** An item of a dataset, with typed content. Media are `SvcMediaReference`s. */
export interface SvcDatasetItem<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped>
  extends Omit<DatasetItem, 'input' | 'expectedOutput' | 'metadata'> {
  input: Input
  expectedOutput: ExpectedOutput
  metadata: Metadata
}

/** A dataset with all its items. */
export interface FetchedDataset<
  Input = Untyped,
  ExpectedOutput = Untyped,
  Metadata = Untyped,
  Version extends DatasetVersion = DatasetVersion,
> extends Dataset {
  readonly items: SvcDatasetItem<Input, ExpectedOutput, Metadata>[]
  /** The `version` option: the time at which the dataset had these items; undefined for the current items. */
  readonly version: Version
  /**
   * Runs a task over these items, without the archived ones: calls `client.experiment.run` with them as data, and their
   * version.
   */
  readonly runExperiment: RunExperimentOnDataset<Input, ExpectedOutput, Metadata>
}

/** The types default to those of the dataset; a task with annotated parameters may narrow them. */
export type RunExperimentOnDataset<I = Untyped, E = Untyped, M = Untyped> = <
  Input extends I = I,
  ExpectedOutput extends E = E,
  Metadata extends M = M,
  Output = Untyped,
>(
  params: Omit<ExperimentParams<Input, ExpectedOutput, Metadata, Output>, 'data' | 'datasetVersion'>,
) => Promise<ExperimentResult<Input, ExpectedOutput, Metadata, Output>>

/** A time: a `Date` or an ISO string. */
export type DatasetVersion = Date | string | undefined

/** Options of `dataset.get`. */
export interface GetDatasetOptions<Version extends DatasetVersion = DatasetVersion> {
  /** Number of items per request. Default 50; the service allows at most 100. */
  readonly fetchItemsPageSize?: number | undefined
  /** Return the items as they were at this time, a `Date` or an ISO string. Default: the current items. */
  readonly version?: Version
}

/** An item to create. `input`, `expectedOutput` and `metadata` may contain `SvcMedia` anywhere. */
export interface CreateDatasetItemBody extends CreateDatasetItemRequest {
  /** An existing item with this id is replaced, so retries create no duplicates. Default: a random UUID. */
  id?: string | undefined
}
