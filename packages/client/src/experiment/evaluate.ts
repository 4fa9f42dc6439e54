import { log, messageOf, warnOnce } from '@svc/core/log'
import type { Evaluation, EvaluatorError, ExperimentLimits } from './experiment-types.ts'
import { type Limit, limited } from './limited.ts'

type Judge<Params> = (params: Params, limits: ExperimentLimits) => unknown

/**
 * Runs all evaluators concurrently and returns their evaluations. An evaluator that fails, or returns no valid score,
 * is logged; the others count. Rejects only if the run is aborted.
 *
 * @param failed called for each evaluator that fails
 */
export async function evaluate<Params>(
  evaluators: readonly Judge<Params>[],
  params: Params,
  limit: Limit,
  failed: (failure: EvaluatorError) => void = () => {},
): Promise<Evaluation[]> {
  const evaluations = evaluators.map((evaluator, at) => {
    const name = evaluator.name || `number ${at + 1}`
    return runEvaluator(name, (limits) => evaluator(params, limits), limit, failed)
  })
  return (await Promise.all(evaluations)).flat()
}

async function runEvaluator(
  name: string,
  work: (limits: ExperimentLimits) => unknown,
  limit: Limit,
  failed: (failure: EvaluatorError) => void,
) {
  try {
    const result = await limited('the evaluator', limit, work)
    const all: unknown[] = Array.isArray(result) ? result : result === undefined || result === null ? [] : [result]
    return all.filter((each): each is Evaluation => isEvaluation(each) || unusable(name))
  } catch (error) {
    limit.signal?.throwIfAborted()
    failed({ evaluator: name, error })
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
