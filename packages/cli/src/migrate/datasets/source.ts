import { foreignText } from '@svc/core/foreign-text'
import { messageOf } from '@svc/core/log'
import { parsedAnswer, TooLargeError } from '@svc/core/read-body'
import { withoutEnd } from '@svc/core/without-end'
import { Failure } from '../../failure.ts'
import { type Get, getterFor, type HttpResult } from './get.ts'
import { pageOf } from './page.ts'
import { type FailedAnswer, Retries } from './retries.ts'
import type { DatasetRow } from './row.ts'

/** URL and key of a source. */
export interface SourceOptions {
  /** URL with the region, without `/v2`. */
  readonly base: URL
  readonly key: string
  readonly signal: AbortSignal
}

/** A page of rows, and the cursor of the next page. */
export interface RowPage {
  readonly rows: readonly DatasetRow[]
  /** Undefined on the last page. */
  readonly next: string | undefined
}

/** A dataset in a listing of the source. */
export interface SourceDataset {
  readonly id: string
  readonly name: string
}

const PAGE_SIZE = 500
const LIST_SIZE = 100
const TIMEOUT_MS = 120_000
const UNANSWERED: FailedAnswer = { status: undefined, headers: undefined }
/** Another try would not help. */
const FINAL: FailedAnswer = { status: 200, headers: undefined }
const NO_JSON = 'something other than JSON'

class SourceError extends Error {
  readonly failure: FailedAnswer

  constructor(message: string, failure: FailedAnswer, cause?: unknown) {
    super(message, { cause })
    this.failure = failure
  }
}

/** The API of the source platform. */
export class Source {
  readonly #options: SourceOptions
  readonly #retries: Retries
  readonly #fetch: Get

  constructor(options: SourceOptions) {
    this.#options = options
    this.#fetch = getterFor(options.base)
    this.#retries = new Retries(options.signal, (error) => (error instanceof SourceError ? error.failure : UNANSWERED))
  }

  /** Returns all datasets that the key can read. @throws {Failure} */
  async datasets(): Promise<SourceDataset[]> {
    const found: SourceDataset[] = []
    for await (const { rows } of this.#pages('the list of datasets', 'v2/datasets', 'datasets', LIST_SIZE)) {
      for (const { id, name } of rows) {
        if (typeof id !== 'string' || id === '') throw new Failure('the source lists a dataset without an id.')
        found.push({ id, name: typeof name === 'string' && name !== '' ? name : id })
      }
    }
    return found
  }

  /**
   * Returns the rows of a dataset page by page. The next page is fetched while one is processed.
   *
   * @param cursor cursor of the first page; undefined for the beginning
   * @throws {Failure}
   */
  rows(datasetId: string, cursor?: string): AsyncGenerator<RowPage, void, undefined> {
    const path = `v2/datasets/${encodeURIComponent(datasetId)}/examples`
    return this.#pages(`dataset "${foreignText(datasetId, 80)}"`, path, 'examples', PAGE_SIZE, cursor)
  }

  async *#pages(
    what: string,
    path: string,
    key: string,
    limit: number,
    from?: string,
  ): AsyncGenerator<RowPage, void, undefined> {
    const seen = new Set<string>(from === undefined ? [] : [from])
    const fetched = (cursor: string | undefined) => this.#page(what, path, key, limit, cursor)
    let coming: Promise<RowPage> | undefined = fetched(from)
    while (coming) {
      const page: RowPage = await coming
      const { next } = page
      if (next !== undefined && seen.has(next))
        throw new Failure(
          `the source repeats pages: it returned the cursor "${foreignText(next, 80)}" of ${what} twice.`,
        )
      if (next !== undefined) seen.add(next)
      coming = next === undefined ? undefined : fetched(next)
      // A rejection is handled in the next iteration.
      coming?.catch(() => {})
      yield page
    }
  }

  async #page(what: string, path: string, key: string, limit: number, cursor?: string): Promise<RowPage> {
    try {
      const answer = await this.#retries.with(() =>
        this.#get(path, { limit: String(limit), ...(cursor && { cursor }) }),
      )
      return pageOf(answer, key, what)
    } catch (error) {
      if (error instanceof SourceError) throw new Failure(this.#explained(error, what, cursor))
      throw error
    }
  }

  async #get(path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
    const { base, key, signal } = this.#options
    const url = new URL(`${withoutEnd(base.href, '/')}/${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const headers = { authorization: `Bearer ${key}`, accept: 'application/json' }
    let answer: HttpResult
    try {
      answer = await this.#fetch(url, headers, { signal, timeoutMs: TIMEOUT_MS })
    } catch (cause) {
      throw new SourceError(explain(cause), cause instanceof TooLargeError ? FINAL : UNANSWERED, cause)
    }
    const { status } = answer
    if (status < 200 || status > 299) throw new SourceError('', { status, headers: answer.headers })
    try {
      return parsedAnswer(answer.text)
    } catch (error) {
      if (error instanceof TooLargeError) throw new SourceError(error.message, FINAL, error)
      // Truncated JSON is retried like a server error; an HTML page is not.
      const isCut = answer.headers.get('content-type')?.includes('json')
      throw new SourceError(NO_JSON, { status: isCut ? 502 : status, headers: answer.headers })
    }
  }

  #explained({ message, cause, failure: { status } }: SourceError, what: string, cursor: string | undefined): string {
    const { host } = this.#options.base
    if (cause instanceof TooLargeError) return `${host} answers for ${what} with too much to read: ${message}.`
    if (message === NO_JSON)
      return `${host} answers for ${what} with ${NO_JSON}. Check --from: it is the URL of the API.`
    if (status === undefined) return `${host} does not answer (${message}). Check --from: it contains the region.`
    if (status === 401 || status === 403)
      return `${host} refuses the key with ${status}. Check SOURCE_API_KEY, and that --from is its region.`
    if (cursor !== undefined && [400, 404, 410].includes(status))
      return `${host} no longer accepts the cursor for the rest of ${what} (${status}). Start again with --restart.`
    if (status === 404) return `${host} has no ${what}. Check --dataset, and that --from is its region.`
    if (status >= 300 && status < 400)
      return `${host} redirects (${status}), which is not followed. Set --from to the final address.`
    return `${host} answers ${status} for ${what}, after all retries. Run the same command again to continue.`
  }
}

// Fetch has the reason in its cause.
function explain(error: unknown): string {
  const reason = (error as { cause?: unknown }).cause ?? error
  const { code } = reason as { code?: unknown }
  return typeof code === 'string' ? code : messageOf(reason)
}
