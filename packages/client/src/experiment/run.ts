import { log } from '@svc/core/log'
import { inPool } from '@svc/core/pool'
import type { ManagerParts } from '../parts.ts'
import { type CheckedParams, checkedParams } from './checked-params.ts'
import type {
  ExperimentItem,
  ExperimentItemResult,
  ExperimentParams,
  ExperimentResult,
  FailedItem,
} from './experiment-types.ts'
import { type ItemResult, judgeRun, processItem, type Scores } from './process-item.ts'
import { Progress } from './progress.ts'
import { flushSpans, isRecorded } from './recording.ts'
import { reportOf } from './report.ts'
import { runIds } from './run-ids.ts'

/** Dependencies of an experiment. */
export interface RunParts extends Omit<ManagerParts, 'api'> {
  /** Undefined if nothing is sent. */
  readonly api?: Pick<ManagerParts['api'], 'observations'> | undefined
  readonly score: Scores
}

/** A started run, whose items are processed by the caller. */
export interface StartedExperiment<I, E, M, O> {
  /** Runs the task and the evaluators on an item. Rejects only if the run is aborted. */
  work(item: ExperimentItem<I, E, M>): Promise<ItemResult<I, E, M, O>>
  /** Runs the run evaluators, when all items are done. */
  end(worked: readonly ItemResult<I, E, M, O>[]): Promise<ExperimentResult<I, E, M, O>>
  /** Flushes spans and scores. Never rejects. */
  flush(): Promise<void>
}

/**
 * Runs a task over data: each item as a trace, followed by its evaluators, and at the end the run evaluators. The
 * service derives the experiment from span attributes and scores.
 */
export async function runExperiment<I, E, M, O>(
  params: ExperimentParams<I, E, M, O>,
  parts: RunParts,
): Promise<ExperimentResult<I, E, M, O>> {
  const now = () => parts.clock.now()
  const checked = checkedParams(params, now())
  const { name, data, maxConcurrency } = checked
  if (!isRecorded()) {
    log.warn(
      `experiment "${name}" is not recorded, because no tracer provider is registered. ` +
        'Start Node with --import @svc/register.',
    )
  }
  const run = await start(checked, parts)
  const progress = new Progress({ name, total: data.length }, now)
  try {
    const worked = await inPool(data, maxConcurrency, async (item) => {
      const result = await run.work(item)
      progress.step('error' in result)
      return result
    })
    return await run.end(worked)
  } finally {
    progress.end()
    await run.flush()
  }
}

/** Starts a run. Fetches the project if spans are recorded. */
export async function startExperiment<I, E, M, O>(
  params: ExperimentParams<I, E, M, O>,
  parts: RunParts,
): Promise<StartedExperiment<I, E, M, O>> {
  return start(checkedParams(params, parts.clock.now()), parts)
}

async function start<I, E, M, O>(
  checked: CheckedParams<I, E, M, O>,
  parts: RunParts,
): Promise<StartedExperiment<I, E, M, O>> {
  const { score } = parts
  const { name, data, runName, description } = checked
  const ids = await runIds(parts, { runName, data, recorded: isRecorded() })
  let unsampled = 0
  const countUnsampled = () => {
    if (unsampled === 0) warnAboutSampler(name)
    unsampled += 1
  }
  const [seen, repeated] = [new Set<string>(), new Set<string>()]
  const started = (itemId: string) => {
    if (!seen.has(itemId)) return void seen.add(itemId)
    if (repeated.size === 0) warnAboutRepeated(name, itemId)
    repeated.add(itemId)
  }
  const run = { ...checked, ids, unsampled: countUnsampled, started, costOf: (id: string) => costOf(id, parts) }
  return {
    work: (item) => processItem(item, run, score),
    async end(worked) {
      const itemResults = worked.filter((each): each is ExperimentItemResult<I, E, M, O> => !('error' in each))
      const failedItems = worked.filter((each): each is FailedItem<I, E, M> => 'error' in each)
      const runEvaluations = await judgeRun(itemResults, run, score)
      const { experimentId, experimentUrl, isDatasetRun } = ids
      const result = {
        ...{ experimentId, experimentUrl, runName, itemResults, failedItems, runEvaluations },
        archivedItems: checked.archivedItems,
        datasetRunId: isDatasetRun ? experimentId : undefined,
        datasetRunUrl: isDatasetRun ? experimentUrl : undefined,
      }
      return {
        ...result,
        format: (options) =>
          reportOf({ ...result, name, description, unsampled, repeated: repeated.size }, parts, options),
      }
    },
    async flush() {
      await Promise.all([score.flush(), flushSpans()])
    },
  }
}

async function costOf(traceId: string, { api }: RunParts): Promise<number | undefined> {
  let cost: number | undefined
  for await (const { totalCost } of api?.observations.getMany({ traceId, fields: 'core,usage' }) ?? []) {
    if (typeof totalCost === 'number') cost = (cost ?? 0) + totalCost
  }
  return cost
}

function warnAboutRepeated(name: string, itemId: string): void {
  log.warn(
    `experiment "${name}" has the same item more than once (${itemId}), and the comparison shows one result of an item. ` +
      'Leave it out, or run the experiment again for more results.',
  )
}

function warnAboutSampler(name: string): void {
  log.warn(
    `experiment "${name}": a sampler drops items, so they will be missing in the experiment. ` +
      'Set OTEL_TRACES_SAMPLER=always_on while it runs.',
  )
}
