import { warnOnce } from '@svc/core/log'
import { own } from '@svc/core/own'
import { bind, type SvcApi } from './api/bind.ts'
import { ENDPOINTS } from './api/endpoints.ts'
import { settingsOf } from './client-settings.ts'
import { hostClock } from './clock.ts'
import { backgroundConnection, connection } from './connect.ts'
import { DatasetManager } from './dataset/dataset-manager.ts'
import { ExperimentManager } from './experiment/experiment-manager.ts'
import { MediaManager } from './media/media-manager.ts'
import type { SvcClientOptions } from './options.ts'
import type { ManagerParts } from './parts.ts'
import { ConnectedProject } from './project.ts'
import { checkedFiles } from './prompt/prompt-files.ts'
import { PromptManager } from './prompt/prompt-manager.ts'
import { scoreManagerOf } from './score/create-score-manager.ts'
import type { ScoreManager } from './score/score-manager.ts'

/**
 * A client of the service: scores, prompts, datasets, experiments, media, and the whole API.
 *
 * The constructor never throws: configuration errors are logged, and the calls that need that configuration fail.
 *
 * @example
 * const client = new SvcClient()
 * client.score.create({ traceId, name: 'user-feedback', value: 1 })
 * for await (const dataset of client.api.datasets.list()) console.log(dataset.name)
 */
export class SvcClient {
  /** Every endpoint of the service as a typed method: path ids, request, request options. */
  readonly api: SvcApi
  /** Prompts, with a cache. */
  readonly prompt: PromptManager
  /** Datasets with their items, and experiments on them. */
  readonly dataset: DatasetManager
  /** Experiments, on datasets and on your own data. */
  readonly experiment: ExperimentManager
  /** Scores, sent in the background. */
  readonly score: ScoreManager
  /** Media references and uploads. */
  readonly media: MediaManager
  readonly #project: ConnectedProject

  constructor(options: SvcClientOptions = {}) {
    const settings = settingsOf(options)
    const api = bind(ENDPOINTS, connection(settings, settings.timeout))
    const background = bind(ENDPOINTS, backgroundConnection(settings))
    this.#project = new ConnectedProject(api, background, settings.baseUrl)
    const parts: ManagerParts = {
      api,
      clock: hostClock,
      getProjectId: () => this.getProjectId(),
      getTraceUrl: (traceId) => this.getTraceUrl(traceId),
      getExperimentUrl: (experimentId) => this.getExperimentUrl(experimentId),
    }
    this.api = bind(ENDPOINTS, connection(settings))
    this.score = scoreManagerOf(settings)
    this.media = new MediaManager(parts)
    this.prompt = new PromptManager({
      ...parts,
      background,
      files: checkedFiles(own(Object(options), 'prompts'), warnOnce),
    })
    this.experiment = new ExperimentManager({ ...parts, score: this.score })
    this.dataset = new DatasetManager({ ...parts, media: this.media, experiment: this.experiment })
  }

  /**
   * Returns the id of the project that the keys belong to. Fetched once, also for concurrent calls; an error is not
   * cached, but that of a service that does not respond is returned at once until it does.
   *
   * @throws {SvcAPIError} (as a rejection) if it cannot be fetched
   */
  getProjectId(): Promise<string> {
    return this.#project.id()
  }

  /** Returns the URL of a trace in the UI. @throws {SvcAPIError} as {@link getProjectId} does */
  getTraceUrl(traceId: string): Promise<string> {
    return this.#project.url(`traces/${encodeURIComponent(traceId)}`)
  }

  /** Returns the URL of an experiment's comparison in the UI. @throws {SvcAPIError} as {@link getProjectId} does */
  getExperimentUrl(experimentId: string): Promise<string> {
    return this.#project.url(`experiments/results?baseline=${encodeURIComponent(experimentId)}`)
  }

  /** Resolves when every score so far is sent, or given up and logged. Does not flush spans. */
  flush(): Promise<void> {
    return this.score.flush()
  }

  /** Flushes for the last time; see `score.shutdown`. */
  shutdown(): Promise<void> {
    return this.score.shutdown()
  }
}
