import { SDK_NAME } from '@svc/core/attributes/constants'
import * as HEADER from '@svc/core/attributes/headers'
import { CLOUD_BASE_URL } from '@svc/core/cloud'
import { ownFields } from '@svc/core/own'
import { problemOfScore, type ScoreBody } from '@svc/core/score'
import { VERSION } from '@svc/core/version'
import { withoutEnd } from '@svc/core/without-end'
import { readAnswer } from './answer.ts'
import { SvcBrowserError } from './error.ts'
import { uuid } from './uuid.ts'

export interface SvcBrowserClientOptions {
  /** The public key of the project. Everyone who opens the page can read it: never pass the secret key. */
  readonly publicKey: string
  /** URL of the service, or a path of the page's own host. Default: the hosted service (EU). */
  readonly baseUrl?: string | undefined
  /** Environment of scores that do not name one. Default: the service's own, `default`. */
  readonly environment?: string | undefined
  /** Headers of each request. Headers that the SDK sets cannot be replaced. */
  readonly additionalHeaders?: Readonly<Record<string, string>> | undefined
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

/** What {@link SvcBrowserClient.score} resolves with. */
export interface SvcBrowserScoreResult {
  /** Id of the score. */
  id: string
}

const OWN_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  HEADER.AUTHORIZATION,
  HEADER.PUBLIC_KEY,
  HEADER.SDK_NAME,
  HEADER.SDK_VERSION,
  HEADER.SDK_VARIANT,
  HEADER.SDK_INTEGRATION,
])

// Browsers reject keepalive requests whose bodies are larger than 64 KiB in total (Fetch standard).
const KEEPALIVE_CHARACTERS = 16_384

/**
 * Sends scores from a web page with the public key only: `POST {baseUrl}/api/public/scores`.
 *
 * ```ts
 * const svc = new SvcBrowserClient({ publicKey: 'pk-…', baseUrl: 'https://svc.example.com' })
 * await svc.score({ traceId, name: 'user-feedback', value: 1 })
 * ```
 */
export class SvcBrowserClient {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #environment: string | undefined
  readonly #fetch: typeof fetch

  /** @throws {SvcBrowserError} without a public key, with a secret key, or without `fetch`. */
  constructor(options: SvcBrowserClientOptions) {
    const { publicKey, baseUrl, environment, additionalHeaders, fetch: given } = ownFields(options ?? {})
    checkKeys(options, publicKey)
    if (typeof given !== 'function' && typeof globalThis.fetch !== 'function') {
      throw new SvcBrowserError('There is no fetch here. Pass one: new SvcBrowserClient({ publicKey, fetch }).')
    }
    // Browsers check the receiver of the global `fetch`.
    this.#fetch = given ?? globalThis.fetch.bind(globalThis)
    this.#url = `${withoutEnd(baseUrl || CLOUD_BASE_URL, '/')}/api/public/scores`
    this.#environment = environment
    this.#headers = {
      ...withoutOwn(additionalHeaders ?? {}),
      'content-type': 'application/json',
      [HEADER.AUTHORIZATION]: `Bearer ${publicKey}`,
      [HEADER.PUBLIC_KEY]: publicKey,
      [HEADER.SDK_NAME]: SDK_NAME,
      [HEADER.SDK_VERSION]: VERSION,
      [HEADER.SDK_INTEGRATION]: 'browser',
    }
  }

  /**
   * Sends one score at once, also while the page is unloaded. Requests are not batched and not retried. With an `id` of
   * your own a second call is safe, because a score replaces an earlier one with the same id.
   *
   * @returns the id of the score.
   * @throws {SvcBrowserError} (as a rejection) if the service cannot be reached or rejects the score.
   */
  async score(body: ScoreBody): Promise<SvcBrowserScoreResult> {
    if (typeof body !== 'object' || body === null) {
      throw new SvcBrowserError('The score was not sent: expected an object with name and value.')
    }
    const given = ownFields(body)
    const id = given.id ?? uuid()
    const environment = given.environment ?? this.#environment
    const problem = problemOfScore({ ...given })
    if (problem) throw new SvcBrowserError(`The score was not sent: ${problem}.`)
    // Without a scheme it would be a path of the page.
    if (!/^(https?:\/)?\//i.test(this.#url)) {
      throw new SvcBrowserError(`The score was not sent: baseUrl needs http:// or https:// (${this.#url}).`)
    }
    const text = written({ ...body, id, ...(environment !== undefined && { environment }) })
    const response = await this.#post(text)
    return { id: (await readAnswer(response)) ?? id }
  }

  async #post(body: string): Promise<Response> {
    const send = this.#fetch
    let response: Response
    try {
      const keepalive = body.length <= KEEPALIVE_CHARACTERS
      // A redirect could take the headers to another host.
      response = await send(
        this.#url,
        ownFields<RequestInit>({ method: 'POST', headers: this.#headers, body, keepalive, redirect: 'manual' }),
      )
    } catch (originalError) {
      throw new SvcBrowserError(`The score was not sent: ${this.#url} cannot be reached from this page.`, {
        originalError,
      })
    }
    // A browser shows neither the status nor the address.
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      throw new SvcBrowserError(
        `The score was not sent: ${this.#url} redirects, which is not followed. Set baseUrl to the address it leads to.`,
      )
    }
    return response
  }
}

function checkKeys(options: SvcBrowserClientOptions, publicKey: unknown): void {
  if (typeof publicKey !== 'string' || publicKey === '') {
    throw new SvcBrowserError("No public key. Pass the project's: new SvcBrowserClient({ publicKey: 'pk-…' }).")
  }
  if (publicKey.startsWith('sk-') || Object.hasOwn(options, 'secretKey')) {
    throw new SvcBrowserError(
      'A secret key must not be in a web page: anyone who opens the page can read it. Pass the public key only, and ' +
        'replace the secret key if it was ever delivered to a browser.',
    )
  }
  // The error of `fetch` for such a header looks like one of the network.
  if (!/^[!-~]+$/.test(publicKey)) {
    throw new SvcBrowserError('The public key has characters that no key has. Copy it again from the project settings.')
  }
}

function withoutOwn(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase())))
}

function written(score: object): string {
  try {
    return JSON.stringify(score)
  } catch (originalError) {
    throw new SvcBrowserError('The score was not sent: it cannot be written as JSON.', { originalError })
  }
}
