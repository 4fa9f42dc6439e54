import { foreignText } from '@svc/core/foreign-text'
import { toText } from '@svc/core/json'
import { log, messageOf } from '@svc/core/log'
import { own } from '@svc/core/own'
import type { ExperimentItem, ExperimentItemResult } from '../experiment/experiment-types.ts'
import type { ItemResult } from '../experiment/process-item.ts'
import { RegressionError } from '../experiment/regression-error.ts'
import type { StartedExperiment } from '../experiment/run.ts'
import { itemIdOf } from '../experiment/run-item.ts'
import { type Baseline, readBaseline } from './baseline.ts'
import type { ExperimentUnderTest } from './experiment-under-test.ts'
import type { SvcExperimentOptions, Threshold } from './options.ts'
import { problems, reportOf } from './report.ts'
import { type ExperimentSummary, numbersOf, type SummaryItem, summaryOf } from './summary.ts'
import { writeSummary } from './write-summary.ts'

/** Arguments of {@link SuiteRun}. */
interface SuiteRunParts<I, E, M, O> {
  readonly name: string
  readonly options: SvcExperimentOptions<I, E, M, O>
  readonly items: readonly ExperimentItem<I, E, M>[]
  readonly version: Date | string | undefined
  readonly thresholds: Readonly<Record<string, Threshold>>
  readonly client: ExperimentUnderTest
}

/** Default time-out of a task, and of each evaluator, in seconds. */
const TIMEOUT = 60
const LONGEST_TITLE = 80

/** A run of an experiment whose items are the tests of a suite. */
export class SuiteRun<I, E, M, O> {
  readonly #parts: SuiteRunParts<I, E, M, O>
  readonly #worked = new Map<ExperimentItem<I, E, M>, ItemResult<I, E, M, O>>()
  readonly #failed = new Set<ExperimentItem<I, E, M>>()
  #started: Promise<StartedExperiment<I, E, M, O>> | undefined

  constructor(parts: SuiteRunParts<I, E, M, O>) {
    this.#parts = parts
  }

  titleOf(item: ExperimentItem<I, E, M>): string {
    const { title } = this.#parts.options
    const text = title ? title(item) : (toText(item.input) ?? String(item.input))
    return foreignText(text, LONGEST_TITLE) || 'an empty input'
  }

  /**
   * Runs one item.
   *
   * @param tests the tests of the suite; a filter may skip some
   * @throws the error of the task, or an error that names the scores outside their limits
   */
  async work(item: ExperimentItem<I, E, M>, tests: readonly { readonly mode: string }[]): Promise<void> {
    this.#started ??= this.#start(tests.every(({ mode }) => mode !== 'skip' && mode !== 'todo'))
    this.#failed.add(item)
    const worked = await (await this.#started).work(item)
    this.#worked.set(item, worked)
    if ('error' in worked) throw worked.error
    const outside = outsideOf(worked, this.#parts.thresholds)
    if (outside.length > 0) throw new Error(outside.join('\n'))
    this.#failed.delete(item)
  }

  /** Runs the run evaluators, flushes and reports. @throws {RegressionError} if the run as a whole failed */
  async end(): Promise<void> {
    if (!this.#started) return
    const run = await this.#started
    const { items, options } = this.#parts
    const worked = items.flatMap((item) => this.#worked.get(item) ?? [])
    try {
      const result = await run.end(worked)
      const baseline = await this.#baseline(result.experimentId)
      const summary = await this.#summary(worked, result, baseline)
      // Reporters show console output together with the suite.
      console.log(reportOf(summary))
      writeSummary(summary, options.summaryDir)
      const lines = problems(summary)
      if (lines.length > 0) throw withoutResult(new RegressionError({ result, ...cause(summary, lines) }))
    } finally {
      await run.flush()
    }
  }

  #start(all: boolean): Promise<StartedExperiment<I, E, M, O>> {
    const { name, options, items, version, client } = this.#parts
    const { timeoutInSeconds = TIMEOUT, runName = `${name} - ${new Date().toISOString()}` } = options
    return client.experiment.start({
      ...options,
      ...{ name, timeoutInSeconds, data: items, datasetVersion: version },
      // A run of some items must not become the baseline of the next run.
      runName: all ? runName : inPart(name, runName),
    })
  }

  async #summary(
    worked: readonly ItemResult<I, E, M, O>[],
    result: Parameters<typeof summaryOf>[0]['result'],
    baseline: Baseline | undefined,
  ): Promise<ExperimentSummary> {
    const { name, options, items, thresholds } = this.#parts
    return summaryOf({
      ...{ name, result, baseline, thresholds, total: items.length, failed: this.#failed.size > 0 },
      items: await Promise.all(worked.map((each) => this.#summaryItem(each))),
      tolerance: options.tolerance ?? 0,
    })
  }

  async #summaryItem(worked: ItemResult<I, E, M, O>): Promise<SummaryItem> {
    const { item, traceId } = worked
    return {
      itemId: await itemIdOf(item),
      title: this.titleOf(item),
      ...('error' in worked
        ? { scores: {}, error: messageOf(worked.error) }
        : { scores: numbersOf(worked.evaluations) }),
      ...(traceId === undefined ? {} : { traceId }),
    }
  }

  /** Returns undefined if there is no baseline, as for the first run: that is not an error. */
  async #baseline(experimentId: string): Promise<Baseline | undefined> {
    const { name, options, items, client } = this.#parts
    const { baseline } = options
    if (baseline === false || !client.earlier) return undefined
    const datasetId = items.find(({ datasetId: id }) => id !== undefined)?.datasetId
    try {
      const found = await readBaseline({ name, baseline, datasetId, experimentId, now: Date.now() }, client.earlier)
      if (!found && baseline !== undefined)
        log.warn(`experiment "${name}" is not compared: there is no run named "${baseline}".`)
      return found
    } catch (error) {
      log.warn(`experiment "${name}" is not compared: earlier runs cannot be read: ${messageOf(error)}`)
      return undefined
    }
  }
}

/** Returns `capitals, in part - main`, which does not start like the names of complete runs. */
function inPart(name: string, runName: string): string {
  const rest = runName.startsWith(`${name} - `) ? runName.slice(name.length) : ` - ${runName}`
  return `${name}, in part${rest}`
}

/** Limits the serialized fields of an error: reporters would include every item of the result. */
export function withoutResult(error: RegressionError): RegressionError {
  const { name, message, stack } = error
  return Object.defineProperty(error, 'toJSON', { value: () => ({ name, message, stack }) })
}

function outsideOf<I, E, M, O>(
  { evaluations }: ExperimentItemResult<I, E, M, O>,
  thresholds: Readonly<Record<string, Threshold>>,
): string[] {
  const scores = numbersOf(evaluations)
  const comments = new Map(evaluations.map(({ name, comment }) => [name, comment]))
  return Object.entries(thresholds).flatMap(([score, { min, max }]) => {
    if (min === undefined && max === undefined) return []
    const value = own(scores, score)
    const expected = [min === undefined ? [] : `at least ${min}`, max === undefined ? [] : `at most ${max}`].flat()
    if (value !== undefined && value >= (min ?? value) && value <= (max ?? value)) return []
    const comment = comments.get(score)
    const found = value === undefined ? 'missing, because no evaluator returned it as a number' : value
    return [`${score} is ${found}: expected ${expected.join(' and ')}${comment ? ` (${comment})` : ''}`]
  })
}

function cause({ missed, worse }: ExperimentSummary, lines: readonly string[]) {
  const message = lines.length === 1 ? lines.join() : ['The experiment is worse than allowed:', ...lines].join('\n')
  const [only] = missed
  if (only?.value === undefined || missed.length > 1 || worse.length > 0) return { message }
  return { metric: only.score, value: only.value, threshold: only.mean }
}
