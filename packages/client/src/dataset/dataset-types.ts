import type { CreateDatasetItemRequest, DatasetItem } from '../api/types/dataset-items.ts'
import type { Dataset } from '../api/types/datasets.ts'
import type { ExperimentParams, ExperimentResult } from '../experiment/experiment-types.ts'

/** An item of a dataset, with the types of what is in it. Media are `SvcMediaReference`s. */
export interface SvcDatasetItem<Input = unknown, ExpectedOutput = unknown, Metadata = unknown>
  extends Omit<DatasetItem, 'input' | 'expectedOutput' | 'metadata'> {
  input: Input
  expectedOutput: ExpectedOutput
  metadata: Metadata
}

/** A dataset with all of its items. */
export interface FetchedDataset<Input = unknown, ExpectedOutput = unknown, Metadata = unknown> extends Dataset {
  readonly items: SvcDatasetItem<Input, ExpectedOutput, Metadata>[]
  /** The time whose items these are, if one was asked for. */
  readonly version: Date | undefined
  /** Runs a task over these items: `client.experiment.run` with them as data, and their version. */
  readonly runExperiment: RunExperimentOnDataset<Input, ExpectedOutput, Metadata>
}

/** The types are those of the dataset; a task that says which types it takes may narrow them. */
export type RunExperimentOnDataset<I = unknown, E = unknown, M = unknown> = <
  Input extends I = I,
  ExpectedOutput extends E = E,
  Metadata extends M = M,
  Output = unknown,
>(
  params: Omit<ExperimentParams<Input, ExpectedOutput, Metadata, Output>, 'data' | 'datasetVersion'>,
) => Promise<ExperimentResult<Input, ExpectedOutput, Metadata, Output>>

/** Options of `dataset.get`. */
export interface GetDatasetOptions {
  /** Items fetched by one request. Default 50; the service gives at most 100. */
  readonly fetchItemsPageSize?: number | undefined
  /** The items as they were at this time, a `Date` or an ISO text. Default: as they are. */
  readonly version?: Date | string | undefined
}

/** An item to store. `input`, `expectedOutput` and `metadata` may hold `SvcMedia` anywhere. */
export interface CreateDatasetItemBody extends CreateDatasetItemRequest {
  /** Items of the same id replace each other, so that trying again makes no second one. Default: a random UUID. */
  id?: string | undefined
}
