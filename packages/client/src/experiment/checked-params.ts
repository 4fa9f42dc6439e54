import { warnOnce } from '@svc/core/log'
import { activeItems } from './active-items.ts'
import type { Evaluator, ExperimentItem, ExperimentParams, RunEvaluator } from './experiment-types.ts'
import type { Limit } from './limited.ts'

const CONCURRENCY = 50

/** The validated parameters of a run, with defaults. */
export interface CheckedParams<Input, ExpectedOutput, Metadata, Output>
  extends Pick<ExperimentParams<Input, ExpectedOutput, Metadata, Output>, 'name' | 'data' | 'task'> {
  readonly archivedItems: readonly ExperimentItem<Input, ExpectedOutput, Metadata>[]
  readonly runName: string
  readonly description: string | undefined
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly evaluators: readonly Evaluator<Input, ExpectedOutput, Metadata, Output>[]
  readonly runEvaluators: readonly RunEvaluator<Input, ExpectedOutput, Metadata, Output>[]
  readonly maxConcurrency: number
  /** ISO string. */
  readonly datasetVersion: string | undefined
  readonly limit: Limit
}

/**
 * @param now milliseconds since 1970, for the default name of the run
 * @throws {TypeError} without a name, data or a task
 */
export function checkedParams<Input, ExpectedOutput, Metadata, Output>(
  params: ExperimentParams<Input, ExpectedOutput, Metadata, Output>,
  now: number,
): CheckedParams<Input, ExpectedOutput, Metadata, Output> {
  const { name, data, task, description, metadata, evaluators = [], runEvaluators = [] } = params ?? {}
  if (typeof name !== 'string' || name === '') throw wrong('name', 'a text')
  if (!isListOfItems(data)) throw wrong('data', 'a list of items, which are objects')
  if (typeof task !== 'function') throw wrong('task', 'a function')
  for (const [option, judges] of Object.entries({ evaluators, runEvaluators })) {
    if (!isListOfFunctions(judges)) throw wrong(option, 'a list of functions')
  }
  const active = activeItems(data, params)
  const running = new Set(active)
  return {
    ...{ name, data: active, archivedItems: data.filter((item) => !running.has(item)) },
    ...{ task, description, metadata, evaluators, runEvaluators },
    runName: params.runName ?? `${name} - ${new Date(now).toISOString()}`,
    maxConcurrency: concurrency(params.maxConcurrency),
    datasetVersion: isoTime(params.datasetVersion),
    limit: { seconds: seconds(params.timeoutInSeconds), signal: params.abortSignal },
  }
}

function wrong(option: string, expected: string): TypeError {
  return new TypeError(`svc: an experiment needs ${option}: expected ${expected}.`)
}

function isListOfItems(value: unknown): boolean {
  // `every` skips holes; a copy has none.
  return Array.isArray(value) && [...value].every((each) => typeof each === 'object' && each !== null)
}

function isListOfFunctions(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'function')
}

function concurrency(value: number | undefined): number {
  if (value === undefined) return CONCURRENCY
  if (value >= 1) return Math.floor(value)
  warnOnce(`maxConcurrency is ignored: expected a number from 1, so ${CONCURRENCY} items run at a time.`)
  return CONCURRENCY
}

function seconds(value: number | undefined): number | undefined {
  if (value === undefined || (value > 0 && Number.isFinite(value))) return value
  warnOnce('timeoutInSeconds of an experiment is ignored: expected a number above 0, so there is no time-out.')
  return undefined
}

function isoTime(value: Date | string | undefined): string | undefined {
  if (value === undefined) return undefined
  const time = new Date(value)
  if (Number.isNaN(time.getTime())) throw wrong('datasetVersion that is a time', 'a Date or an ISO string')
  return time.toISOString()
}
