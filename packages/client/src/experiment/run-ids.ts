import { log, messageOf } from '@svc/core/log'
import type { ManagerParts } from '../parts.ts'
import { datasetItemOf } from './dataset-item.ts'
import type { ExperimentItem } from './experiment-types.ts'
import { experimentIdOf, randomExperimentId } from './ids.ts'

/** The experiment of a run, and of each of its items. */
export interface RunIds {
  readonly experimentId: string
  readonly experimentUrl: string | undefined
  /** Whether the items are of a dataset. */
  readonly isDatasetRun: boolean
  /**
   * Returns the experiment id of an item. It differs from that of the run only if the items are of several datasets.
   */
  of(item: ExperimentItem): string
}

interface Asking {
  readonly runName: string
  readonly data: readonly ExperimentItem[]
  /** If nothing is recorded, the project is not fetched. */
  readonly recorded: boolean
}

/** Returns the ids of a run. For a dataset, the id is derived from project, dataset and run name; else it is random. */
export async function runIds(
  { getProjectId, getExperimentUrl }: Pick<ManagerParts, 'getProjectId' | 'getExperimentUrl'>,
  { runName, data, recorded }: Asking,
): Promise<RunIds> {
  const datasets = new Set(data.map((item) => datasetItemOf(item)?.datasetId).filter((id) => id !== undefined))
  const known = recorded ? await projectOf(getProjectId) : undefined
  const ids = new Map<string, string>()
  for (const dataset of datasets) {
    ids.set(dataset, known === undefined ? randomExperimentId() : await experimentIdOf(known, dataset, runName))
  }
  const [experimentId = randomExperimentId()] = ids.values()
  if (ids.size > 1) {
    log.warn(
      `the items of run "${runName}" are of ${ids.size} datasets, so it becomes ${ids.size} experiments. ` +
        'Run one dataset at a time.',
    )
  }
  return {
    experimentId,
    experimentUrl: known === undefined ? undefined : await getExperimentUrl(experimentId),
    isDatasetRun: ids.size > 0,
    of: (item) => ids.get(datasetItemOf(item)?.datasetId ?? '') ?? experimentId,
  }
}

async function projectOf(getProjectId: ManagerParts['getProjectId']): Promise<string | undefined> {
  try {
    return await getProjectId()
  } catch (error) {
    log.warn(
      `the project of the keys could not be fetched, so an experiment has a random id and no link: ${messageOf(error)}`,
    )
    return undefined
  }
}
