import { log, messageOf, warnOnce } from '@svc/core/log'
import type { Evaluation, ExperimentLimits } from './experiment-types.ts'
import { type Limit, limited } from './limited.ts'

type Judge<Params> = (params: Params, limits: ExperimentLimits) => unknown

/**
 * Runs all evaluators concurrently and returns their evaluations. An evaluator that fails, or returns no valid score,
 * is logged; the others count. Rejects only if the run is aborted.
 */
export async function evaluate<Params>(
  evaluators: readonly Judge<Params>[],
  params: Params,
  limit: Limit,
): Promise<Evaluation[]> {
  const evaluations = await Promise.all(evaluators.map((evaluator, at) => runEvaluator(evaluator, at, params, limit)))
  return evaluations.flat()
}

async function runEvaluator<Params>(evaluator: Judge<Params>, at: number, params: Params, limit: Limit) {
  const name = evaluator.name || `number ${at + 1}`
  try {
    const result = await limited('the evaluator', limit, (limits) => evaluator(params, limits))
    const all: unknown[] = Array.isArray(result) ? result : result === undefined || result === null ? [] : [result]
    return all.filter((each): each is Evaluation => isEvaluation(each) || unusable(name))
  } catch (error) {
    limit.signal?.throwIfAborted()
    log.once('error', `evaluator ${name} failed, so its score is missing: ${messageOf(error)}`)
    return []
  }
}

function unusable(name: string): false {
  warnOnce(
    `evaluator ${name} returned an invalid score: expected { name, value } with a finite number or a string, ` +
      'or a list of these.',
  )
  return false
}

function isEvaluation(candidate: unknown): candidate is Evaluation {
  const { name, value } = (typeof candidate === 'object' && candidate !== null ? candidate : {}) as {
    name?: unknown
    value?: unknown
  }
  return typeof name === 'string' && name !== '' && (typeof value === 'string' || Number.isFinite(value))
}
