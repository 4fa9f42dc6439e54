import { context } from '@opentelemetry/api'
import { ATTRIBUTE, EXPERIMENT_ENVIRONMENT } from '@svc/core/attributes'
import { withPropagatedAttributes } from '@svc/core/context'
import { log, messageOf } from '@svc/core/log'
import type { ScoreBody } from '@svc/core/score'
import { datasetItemOf } from './dataset-item.ts'
import { evaluate } from './evaluate.ts'
import type {
  Evaluation,
  EvaluatorError,
  ExperimentItem,
  ExperimentItemResult,
  FailedItem,
} from './experiment-types.ts'
import { type Run, runItem } from './run-item.ts'

/** Stores evaluations as scores. */
export interface Scores {
  create(body: ScoreBody): void
  flush(): Promise<void>
}

/** The result of an item, or its failure. */
export type ItemResult<I, E, M, O> = ExperimentItemResult<I, E, M, O> | FailedItem<I, E, M>

/** Runs the task on an item, then the evaluators on its output. Rejects only if the run is aborted. */
export async function processItem<I, E, M, O>(
  item: ExperimentItem<I, E, M>,
  run: Run<I, E, M, O>,
  scores: Scores,
): Promise<ItemResult<I, E, M, O>> {
  const { signal } = run.limit
  signal?.throwIfAborted()
  const outcome = await runItem(item, run)
  signal?.throwIfAborted()
  const { recorded, latency } = outcome
  const traceId = recorded?.traceId
  const fetchCost = async () => (traceId === undefined ? undefined : run.costOf(traceId))
  if ('error' in outcome) {
    const { error } = outcome
    log.once('error', `experiment "${run.name}": an item failed and has no result: ${messageOf(error)}`)
    return { item, error, traceId, latency, fetchCost }
  }
  const { output } = outcome
  const [input, { expectedOutput, metadata }] = [item.input as I, item]
  const judged = {
    ...{ input, output },
    ...(expectedOutput === undefined ? {} : { expectedOutput }),
    ...(metadata === undefined ? {} : { metadata }),
  }
  const evaluatorErrors: EvaluatorError[] = []
  const evaluations = await inExperiment(() =>
    evaluate(run.evaluators, judged, run.limit, (failure) => evaluatorErrors.push(failure)),
  )
  // Without a recorded trace (no tracer provider, or a sampler dropped it) a score would belong to nothing.
  if (recorded) for (const evaluation of evaluations) scores.create({ ...recorded, ...evaluation })
  const ofRun = datasetItemOf(item) ? { datasetRunId: run.ids.of(item) } : {}
  const figures = { latency, fetchCost }
  return { item, input, expectedOutput, output, evaluations, evaluatorErrors, traceId, ...figures, ...ofRun }
}

/** Runs the run evaluators and stores their scores, whether items were recorded or not. */
export async function judgeRun<I, E, M, O>(
  itemResults: ExperimentItemResult<I, E, M, O>[],
  run: Run<I, E, M, O>,
  scores: Scores,
): Promise<Evaluation[]> {
  const evaluations = await inExperiment(() => evaluate(run.runEvaluators, { itemResults }, run.limit))
  for (const evaluation of evaluations) scores.create({ datasetRunId: run.ids.experimentId, ...evaluation })
  return evaluations
}

/** Runs evaluators in the environment of experiments, because they often call models. */
function inExperiment<T>(work: () => T): T {
  return context.with(
    withPropagatedAttributes(context.active(), { [ATTRIBUTE.ENVIRONMENT]: EXPERIMENT_ENVIRONMENT }),
    work,
  )
}
