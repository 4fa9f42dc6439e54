import { createApi, SvcAPIError, type SvcApi } from '@svc/client/api'
import { hostEnvironment } from '@svc/core/environment'
import { foreignText } from '@svc/core/foreign-text'
import { missingKeys } from '@svc/core/keys'
import { messageOf } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { clientSettings } from '@svc/core/settings'
import { Failure } from '../../failure.ts'
import { Retries } from './retries.ts'
import type { MappedItem } from './row.ts'

const ONCE = { maxRetries: 0 }

/** The project that datasets are imported into, from the variables of the client. */
export class TargetProject {
  readonly #api: SvcApi
  readonly #retries: Retries
  readonly #base: string
  /** Identifies the service and project. */
  readonly identity: string

  /** @throws {Failure} without keys or a valid base URL */
  constructor(signal: AbortSignal) {
    const complaints: string[] = []
    const settings = readSettings(clientSettings, {}, hostEnvironment, (line) => complaints.push(line))
    const missing = missingKeys(settings)
    if (complaints[0] !== undefined) throw new Failure(complaints[0])
    if (missing.length > 0)
      throw new Failure(`no ${missing.join(' and no ')}: set the keys of the project to import into.`)
    this.#base = settings.baseUrl ?? ''
    this.identity = `${this.#base} ${settings.publicKey}`
    this.#api = createApi()
    this.#retries = new Retries(signal, (error) => ({
      status: error instanceof SvcAPIError ? error.statusCode : undefined,
      headers: error instanceof SvcAPIError ? error.rawResponse?.headers : undefined,
    }))
  }

  /** Fetches the project, so that the import does not start with invalid keys. @throws {Failure} */
  async check(): Promise<void> {
    await this.#request(() => this.#api.projects.get({}, ONCE))
  }

  /** Creates the dataset, unless it exists. @throws {Failure} */
  async create(name: string): Promise<void> {
    const exists = await this.#request(() =>
      this.#api.datasets.get(name, {}, ONCE).then(
        () => true,
        (error) => {
          if (statusOf(error) === 404) return false
          throw error
        },
      ),
    )
    if (!exists) await this.#request(() => this.#api.datasets.create({ name }, ONCE))
  }

  /**
   * Writes an item, or replaces the one with the same id.
   *
   * @returns the reason if the service rejects this item, else undefined
   * @throws {Failure} for any other error
   */
  async write(datasetName: string, item: MappedItem): Promise<string | undefined> {
    try {
      await this.#retries.with(() => this.#api.datasetItems.create({ datasetName, ...item }, ONCE))
      return undefined
    } catch (error) {
      const status = statusOf(error)
      if (status === 400 || status === 409 || status === 413 || status === 422)
        return foreignText(messageOf(error), 300)
      throw this.#explained(error)
    }
  }

  /** Returns the number of items in the dataset. @throws {Failure} */
  async count(datasetName: string): Promise<number> {
    const page = await this.#request(() => this.#api.datasetItems.list({ datasetName, limit: 1 }, ONCE))
    return page.meta.totalItems
  }

  async #request<T>(ask: () => PromiseLike<T>): Promise<T> {
    try {
      return await this.#retries.with(async () => ask())
    } catch (error) {
      throw this.#explained(error)
    }
  }

  #explained(error: unknown): unknown {
    if (!(error instanceof SvcAPIError)) return error
    const status = error.statusCode
    const where = this.#base
    const message =
      status === undefined
        ? `${where} cannot be reached (${foreignText(error.message, 200)}). Check SVC_BASE_URL.`
        : status === 401 || status === 403
          ? `${where} refuses the keys with ${status}. Check SVC_PUBLIC_KEY and SVC_SECRET_KEY, and that SVC_BASE_URL is ` +
            'their region.'
          : `${foreignText(error.message, 300)}. Written items are kept; run the same command again to continue.`
    return new Failure(message)
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof SvcAPIError ? error.statusCode : undefined
}
