import { isFields } from '@svc/core/json'
import { log } from '@svc/core/log'
import { afterAll, describe, test } from 'vitest'
import { type ArchivedItems, activeItems } from '../experiment/active-items.ts'
import type { ExperimentItem, Untyped } from '../experiment/experiment-types.ts'
import { misuse } from '../misuse.ts'
import { experimentUnderTest } from './experiment-under-test.ts'
import { type ExperimentData, type SvcExperimentOptions, thresholdsOf } from './options.ts'
import { keysMissing, startPipeline } from './pipeline.ts'
import { SuiteRun } from './suite-run.ts'

startPipeline()

/** Declares an experiment as a suite. */
type Declare = <Input = Untyped, ExpectedOutput = Untyped, Metadata = Untyped, Output = Untyped>(
  name: string,
  options: SvcExperimentOptions<Input, ExpectedOutput, Metadata, Output>,
) => void

/** `svcExperiment`, with `only` and `skip` like `describe`. */
export interface SvcExperiment extends Declare {
  /** Runs only this experiment of the file. */
  readonly only: Declare
  /** Skips this experiment. Its data is not fetched. */
  readonly skip: Declare
}

/**
 * Declares an experiment as a suite of vitest. Each item is a test, which fails if the task throws or a score is
 * outside its `min` and `max`. At the end the scores are printed and compared with those of an earlier run; the suite
 * fails with a `RegressionError` if a mean is too low or items got worse.
 *
 * Items run concurrently, up to `maxConcurrency` of vitest's configuration (default 5). Without keys everything runs
 * locally, and a warning says that nothing is sent.
 *
 * Import this module before the libraries to instrument, because it starts `@svc/register`.
 *
 * @throws {TypeError} (as the error of the suite) without items, or for an invalid option
 * @example
 * svcExperiment('capitals', {
 *   data: [{ input: 'Norway', expectedOutput: 'Oslo' }],
 *   task: ({ input }) => capitalOf(input),
 *   evaluators: [({ output, expectedOutput }) => ({ name: 'exact', value: output === expectedOutput ? 1 : 0 })],
 *   thresholds: { exact: 0.9 },
 * })
 */
export const svcExperiment: SvcExperiment = Object.assign(declareWith(describe), {
  only: declareWith(describe.only),
  skip: ((name) => describe(name, { skip: true }, () => test('is left out', () => {}))) as Declare,
})

type Suite = (name: string, options: { concurrent: boolean }, declareTests: () => Promise<void>) => unknown

function declareWith(suite: Suite): Declare {
  return (name, options) => {
    suite(name, { concurrent: true }, async () => {
      const thresholds = thresholdsOf(options)
      warnWhenNothingIsSent(options)
      const client = experimentUnderTest(options.client)
      const { items, version } = datasetOf(await fetched(options.data, client.service), options)
      if (items.length === 0) throw new TypeError(`svc: the experiment "${name}" has no items.`)
      const run = new SuiteRun({ name, options, items, version, thresholds, client })
      for (const item of items) {
        // `SuiteRun` has its own time-outs, whose errors name the slow function.
        test(run.titleOf(item), { timeout: 0 }, ({ task }) => run.work(item, task.suite?.tasks ?? []))
      }
      afterAll(() => run.end(), 0)
    })
  }
}

function warnWhenNothingIsSent({ client }: Pick<SvcExperimentOptions, 'client'>): void {
  const missing = client ? [] : keysMissing()
  if (missing.length > 0)
    log.once('warn', `experiments run locally and nothing is sent: there is no ${missing.join(' and no ')}.`)
}

async function fetched<I, E, M, O>(
  data: SvcExperimentOptions<I, E, M, O>['data'],
  service: () => Parameters<Extract<typeof data, (...args: never) => unknown>>[0],
): Promise<ExperimentData<I, E, M>> {
  return typeof data === 'function' ? await data(service()) : data
}

function datasetOf<I, E, M>(
  data: ExperimentData<I, E, M>,
  options: ArchivedItems,
): {
  readonly items: readonly ExperimentItem<I, E, M>[]
  readonly version: Date | string | undefined
} {
  if (Array.isArray(data)) return { items: data, version: undefined }
  if (isFields(data) && Array.isArray(data.items)) {
    const { items, version } = data as Exclude<typeof data, readonly unknown[]>
    return { items: activeItems(items, options), version }
  }
  throw misuse('svcExperiment', 'data that is a list of items, or a dataset', data)
}
