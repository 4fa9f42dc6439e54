import { log } from '@svc/core/log'
import type { ManagerParts } from '../parts.ts'
import { checkedParams } from './checked-params.ts'
import type { ExperimentItemResult, ExperimentParams, ExperimentResult, FailedItem } from './experiment-types.ts'
import { inPool } from './pool.ts'
import { Progress } from './progress.ts'
import { flushSpans, isRecorded } from './recording.ts'
import { reportOf } from './report.ts'
import { runIds } from './run-ids.ts'
import { judgeRun, type Scores, workOn } from './work-on.ts'

/** What running an experiment takes. */
export interface RunParts extends Omit<ManagerParts, 'api'> {
  readonly score: Scores
}

/**
 * Runs a task over data: each item as a trace of the experiment, then its evaluators; at last those of the run. All of
 * it is recorded by span attributes and scores, of which the service makes the experiment.
 */
export async function runExperiment<I, E, M, O>(
  params: ExperimentParams<I, E, M, O>,
  parts: RunParts,
): Promise<ExperimentResult<I, E, M, O>> {
  const { clock, score } = parts
  const now = () => clock.now()
  const checked = checkedParams(params, now())
  const { name, data, runName, description } = checked
  const recorded = isRecorded()
  if (!recorded) {
    log.warn(
      `experiment "${name}" is not recorded, because no tracer provider is registered. ` +
        'Start Node with --import @svc/register.',
    )
  }
  const ids = await runIds(parts, { runName, data, recorded })
  let unsampled = 0
  const unsampledToo = () => {
    if (unsampled === 0) saySampled(name)
    unsampled += 1
  }
  const run = { ...checked, ids, unsampled: unsampledToo }
  const progress = new Progress({ name, total: data.length }, now)
  try {
    const worked = await inPool(data, checked.maxConcurrency, async (item) => {
      const result = await workOn(item, run, score)
      progress.step('error' in result)
      return result
    })
    const itemResults = worked.filter((each): each is ExperimentItemResult<I, E, M, O> => !('error' in each))
    const failedItems = worked.filter((each): each is FailedItem<I, E, M> => 'error' in each)
    const runEvaluations = await judgeRun(itemResults, run, score)
    const { experimentId, experimentUrl, isDatasetRun } = ids
    const result = {
      ...{ experimentId, experimentUrl, runName, itemResults, failedItems, runEvaluations },
      datasetRunId: isDatasetRun ? experimentId : undefined,
      datasetRunUrl: isDatasetRun ? experimentUrl : undefined,
    }
    return { ...result, format: (options) => reportOf({ ...result, name, description, unsampled }, parts, options) }
  } finally {
    progress.end()
    await Promise.all([score.flush(), flushSpans()])
  }
}

function saySampled(name: string): void {
  log.warn(
    `experiment "${name}": a sampler drops items, so they will be missing in the experiment. ` +
      'Set OTEL_TRACES_SAMPLER=always_on while it runs.',
  )
}
