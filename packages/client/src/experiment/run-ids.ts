import { log, messageOf } from '@svc/core/log'
import type { ManagerParts } from '../parts.ts'
import { datasetItemOf } from './dataset-item.ts'
import type { ExperimentItem } from './experiment-types.ts'
import { experimentIdOf, randomExperimentId } from './ids.ts'

/** Which experiment a run, and each item of it, belongs to. */
export interface RunIds {
  readonly experimentId: string
  readonly experimentUrl: string | undefined
  /** Whether the data is a dataset of the service. */
  readonly isDatasetRun: boolean
  /** The experiment of an item. Only where datasets are mixed it is another one than that of the run. */
  of(item: ExperimentItem): string
}

interface Asking {
  readonly runName: string
  readonly data: readonly ExperimentItem[]
  /** Without a recording there is nothing to look at, and nothing is asked for. */
  readonly recorded: boolean
}

/**
 * Over a dataset the id follows from project, dataset and run name; else it is random.
 */
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
      `the service did not say which project the keys belong to, so an experiment has a random id and no link: ` +
        messageOf(error),
    )
    return undefined
  }
}
