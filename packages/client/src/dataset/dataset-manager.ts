import { warnOnce } from '@svc/core/log'
import type { DatasetItem } from '../api/types/dataset-items.ts'
import type { ExperimentManager } from '../experiment/experiment-manager.ts'
import type { Untyped } from '../experiment/experiment-types.ts'
import type { MediaManager } from '../media/media-manager.ts'
import { checkOptions, isText, misuse } from '../misuse.ts'
import type { ManagerParts } from '../parts.ts'
import type {
  CreateDatasetItemBody,
  DatasetVersion,
  FetchedDataset,
  GetDatasetOptions,
  SvcDatasetItem,
} from './dataset-types.ts'
import { embedMedia } from './embed.ts'
import { hydrated } from './hydrate.ts'

const PAGE_SIZE = 50
/** What a value is meant to be that is no object of options. */
const BARE = { number: 'fetchItemsPageSize', string: 'version', date: 'version', example: 'fetchItemsPageSize: 50' }
const FIELDS = ['input', 'expectedOutput', 'metadata'] as const

/** `client.dataset`: reads datasets with their items, and creates items. */
export class DatasetManager {
  readonly #api: ManagerParts['api']
  readonly #media: Pick<MediaManager, 'upload'>
  readonly #experiment: Pick<ExperimentManager, 'run'>

  constructor({ api, media, experiment }: DatasetParts) {
    this.#api = api
    this.#media = media
    this.#experiment = experiment
  }

  /**
   * Returns a dataset with all its items, fetched page by page.
   *
   * Set the types of the items with type arguments: `dataset.get<Question, string>('capitals')`.
   *
   * @param options `version`, `fetchItemsPageSize`
   * @throws {SvcAPIError} if the dataset or one of its pages cannot be fetched
   * @throws {TypeError} if the options are no object, or `version` is not a time
   * @example
   * const dataset = await client.dataset.get('capitals')
   * const result = await dataset.runExperiment({ name: 'gpt-5', task: ({ input }) => answer(input) })
   */
  async get<
    Input = Untyped,
    ExpectedOutput = Untyped,
    Metadata = Untyped,
    Version extends DatasetVersion = DatasetVersion,
  >(
    name: string,
    options: GetDatasetOptions<Version> = {},
  ): Promise<FetchedDataset<Input, ExpectedOutput, Metadata, Version>> {
    checkOptions('dataset.get', [name, options], BARE)
    const time = timeOf(options.version)
    const [dataset, stored] = await Promise.all([
      this.#api.datasets.get(name),
      this.#items(name, time, pageSize(options.fetchItemsPageSize)),
    ])
    const items = stored.map(hydrated) as SvcDatasetItem<Input, ExpectedOutput, Metadata>[]
    return {
      ...dataset,
      items,
      version: options.version as Version,
      // A task may have narrower types than the dataset.
      runExperiment: (params) => this.#experiment.run({ ...params, data: items as never[], datasetVersion: time }),
    }
  }

  /**
   * Creates an item, after uploading the media in it. With an `id` of your own, a retry is safe: it replaces the item.
   *
   * @throws {SvcAPIError} if the service rejects it
   * @throws {TypeError} without a `datasetName`, or if media in it have no content or no content type
   * @example
   * await client.dataset.createItem({ datasetName: 'capitals', id: 'no', input: 'Norway', expectedOutput: 'Oslo' })
   */
  async createItem(body: CreateDatasetItemBody): Promise<DatasetItem> {
    if (!isText(body?.datasetName)) throw misuse('dataset.createItem', 'a datasetName (a string)', body?.datasetName)
    const id = body.id ?? crypto.randomUUID()
    const embedded = await Promise.all(FIELDS.map(async (field) => ({ field, ...(await embedMedia(body[field])) })))
    await this.#uploaded(body.datasetName, id, embedded)
    const values = embedded.filter(({ value }) => value !== undefined).map(({ field, value }) => [field, value])
    return this.#api.datasetItems.create({ ...body, ...Object.fromEntries(values), id })
  }

  async #items(datasetName: string, version: Date | undefined, limit: number): Promise<DatasetItem[]> {
    const listing = this.#api.datasetItems.list({ datasetName, limit, version })
    // By id, because an item that is created between two pages moves the last one of a page to the next page.
    const items = new Map<string, DatasetItem>()
    for await (const item of listing) items.set(item.id, item)
    const totalItems = (await listing).meta?.totalItems ?? 0
    if (items.size < totalItems) {
      warnOnce(
        `dataset "${datasetName}" changed while it was read: ${items.size} of ${totalItems} items were read. ` +
          'Read it again, or read a version: dataset.get(name, { version }).',
      )
    }
    return [...items.values()]
  }

  async #uploaded(
    datasetName: string,
    datasetItemId: string,
    embedded: readonly { field: string; media: Awaited<ReturnType<typeof embedMedia>>['media'] }[],
  ): Promise<void> {
    const found = embedded.flatMap(({ field, media }) => media.map((each) => ({ field, media: each })))
    if (found.length === 0) return
    const distinct = new Map<unknown, (typeof found)[number]>()
    for (const each of found) distinct.set(await each.media.getId(), each)
    const { id: datasetId } = await this.#api.datasets.get(datasetName)
    const uploads = [...distinct.values()].map(({ field, media }) =>
      this.#media.upload(media, { field, datasetId, datasetItemId }),
    )
    await Promise.all(uploads)
  }
}

/** Arguments of {@link DatasetManager}. */
export interface DatasetParts extends Pick<ManagerParts, 'api'> {
  readonly media: Pick<MediaManager, 'upload'>
  readonly experiment: Pick<ExperimentManager, 'run'>
}

function timeOf(version: Date | string | undefined): Date | undefined {
  if (version === undefined) return undefined
  const time = new Date(version)
  if (Number.isNaN(time.getTime())) {
    throw new TypeError('svc: dataset.get(name, { version }) needs a time: a Date or an ISO string.')
  }
  return time
}

function pageSize(given: number | undefined): number {
  if (given === undefined || (Number.isInteger(given) && given > 0)) return given ?? PAGE_SIZE
  warnOnce(`fetchItemsPageSize is ignored: expected a whole number above 0, so pages have ${PAGE_SIZE} items.`)
  return PAGE_SIZE
}
