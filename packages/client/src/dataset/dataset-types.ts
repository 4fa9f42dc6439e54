import type { CreateDatasetItemRequest, DatasetItem } from '../api/types/dataset-items.ts'
import type { Dataset } from '../api/types/datasets.ts'
import type { ExperimentParams, ExperimentResult, Untyped } from '../experiment/experiment-types.ts'

/** An item of a dataset, with the types of what is in it. Media are `SvcMediaReference`s. */
export interface SvcDatasetItem<Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped>
  extends Omit<DatasetItem, 'input' | 'expectedOutput' | 'metadata'> {
  input: Input
  expectedOutput: ExpectedOutput
  metadata: Metadata
}

/** A dataset with all of its items. */
export interface FetchedDataset<
  Input = Untyped,
  ExpectedOutput = Untyped,
  Metadata = Untyped,
  Version extends DatasetVersion = DatasetVersion,
> extends Dataset {
  readonly items: SvcDatasetItem<Input, ExpectedOutput, Metadata>[]
  /** The time whose items these are, as it was given; undefined where none was. */
  readonly version: Version
  /** Runs a task over these items: `client.experiment.run` with them as data, and their version. */
  readonly runExperiment: RunExperimentOnDataset<Input, ExpectedOutput, Metadata>
}

/** The types are those of the dataset; a task that says which types it takes may narrow them. */
export type RunExperimentOnDataset<I = Untyped, E = Untyped, M = Untyped> = <
  Input extends I = I,
  ExpectedOutput extends E = E,
  Metadata extends M = M,
  Output = Untyped,
>(
  params: Omit<ExperimentParams<Input, ExpectedOutput, Metadata, Output>, 'data' | 'datasetVersion'>,
) => Promise<ExperimentResult<Input, ExpectedOutput, Metadata, Output>>

/** A time: a `Date` or an ISO text. */
export type DatasetVersion = Date | string | undefined

/** Options of `dataset.get`. */
export interface GetDatasetOptions<Version extends DatasetVersion = DatasetVersion> {
  /** Items fetched by one request. Default 50; the service gives at most 100. */
  readonly fetchItemsPageSize?: number | undefined
  /** The items as they were at this time, a `Date` or an ISO text. Default: as they are. */
  readonly version?: Version
}

/** An item to store. `input`, `expectedOutput` and `metadata` may hold `SvcMedia` anywhere. */
export interface CreateDatasetItemBody extends CreateDatasetItemRequest {
  /** Items of the same id replace each other, so that trying again makes no second one. Default: a random UUID. */
  id?: string | undefined
}
