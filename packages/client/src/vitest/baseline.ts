import { ownFields } from '@svc/core/own'
import type { Experiment } from '../api/types/experiments.ts'
import type { ScoreV3 } from '../api/types/scores.ts'
import type { SvcClient } from '../client.ts'
import type { Scored, ScoreValues } from './compare.ts'

/** The run to compare with. */
export interface Baseline {
  readonly runName: string
  readonly items: readonly Scored[]
}

/** The requested baseline. */
export interface WantedBaseline {
  /** Name of the experiment. */
  readonly name: string
  /** Beginning of the run's name. Default: the name of the experiment. */
  readonly baseline: string | undefined
  readonly datasetId: string | undefined
  /** The current run, which is not its own baseline. */
  readonly experimentId: string
  /** Milliseconds since 1970. */
  readonly now: number
}

const PAGE_SIZE = 100
/** Older runs are of little use, and searching for them is slow. */
const LAST_RUN_MS = 90 * 86_400_000
const MOST_RUNS = 1_000

/** Fetches the baseline with its items and their scores; undefined if there is none. */
export async function readBaseline(
  wanted: WantedBaseline,
  { api }: Pick<SvcClient, 'api'>,
): Promise<Baseline | undefined> {
  const run = await findRun(wanted, api)
  if (!run) return undefined
  const items: Scored[] = []
  const request = { experimentId: run.id, fromStartTime: run.startTime, fields: 'core,scores', limit: PAGE_SIZE }
  for await (const item of api.experiments.listItems(request)) {
    // A service that does not know a filter ignores it.
    if (item.experimentId === run.id)
      items.push({ itemId: item.experimentItemId, scores: numericScores(item.scores ?? []) })
  }
  return { runName: run.name, items }
}

async function findRun(wanted: WantedBaseline, api: SvcClient['api']): Promise<Experiment | undefined> {
  const { name, baseline, datasetId, now } = wanted
  const all = { datasetId, limit: PAGE_SIZE }
  // The service reads `name` as a list separated by commas.
  const exact = baseline !== undefined && !baseline.includes(',')
  const named = exact
    ? await newest(api.experiments.list({ ...all, name: baseline, fromStartTime: new Date(0) }))
    : undefined
  return named ?? (await newest(api.experiments.list({ ...all, fromStartTime: new Date(now - LAST_RUN_MS) })))

  async function newest(runs: AsyncIterable<Experiment>): Promise<Experiment | undefined> {
    let looked = 0
    for await (const run of runs) {
      if (isOf(run, baseline ?? name) && isOther(run, wanted)) return run
      looked += 1
      if (looked === MOST_RUNS) return undefined
    }
    return undefined
  }
}

function isOf(run: Experiment, name: string): boolean {
  return run.name === name || run.name.startsWith(`${name} - `)
}

// A service that does not know a filter ignores it.
function isOther(run: Experiment, { datasetId, experimentId }: WantedBaseline): boolean {
  return run.id !== experimentId && (datasetId === undefined || run.datasetId === datasetId)
}

/** Scores are listed newest first; the newest with each name is used. */
function numericScores(scores: readonly ScoreV3[]): ScoreValues {
  const numbers: Record<string, number> = ownFields({})
  for (const { name, value } of scores) {
    const number = typeof value === 'boolean' ? Number(value) : value
    if (typeof number === 'number') numbers[name] ??= number
  }
  return numbers
}
