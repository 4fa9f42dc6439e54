import { log, messageOf, warnOnce } from '@svc/core/log'
import { SvcAPIError } from '../api/errors.ts'
import type { CreateTextPromptRequest, Prompt } from '../api/types/prompts.ts'
import { checkOptions, isText, misuse } from '../misuse.ts'
import type { ManagerParts } from '../parts.ts'
import { type CreateChatPromptBody, createRequest } from './create-request.ts'
import { fallbackClient } from './fallback.ts'
import { FileFallback, isAnswer } from './file-fallback.ts'
import { PromptCache } from './prompt-cache.ts'
import { type ChatPromptClient, promptClientOf, type SvcPromptClient, type TextPromptClient } from './prompt-client.ts'
import type { PromptFiles } from './prompt-files.ts'
import { type GetPromptOptions, type PromptClientOf, type PromptKind, variantOf } from './prompt-options.ts'
import type { OtherName, RegisteredKind, RegisteredName, RegisteredPrompt } from './registered.ts'

/** What a value is meant to be that is no object of options. */
const BARE = { number: 'version', string: 'label', example: 'label: "production"' }
const DEFAULT_TTL_SECONDS = 60
/** Long enough for a healthy service, including a new connection, and short compared with a model call. */
const DEFAULT_FILE_AFTER_MS = 250

/** Arguments of {@link PromptManager}. */
export interface PromptParts extends Pick<ManagerParts, 'api' | 'clock'> {
  /** For requests in the background, which do not keep the process alive. */
  readonly background: Pick<ManagerParts['api'], 'prompts'>
  readonly files?: PromptFiles
}

/** `client.prompt`: prompts by name, with a cache, so that model calls do not wait for the service. */
export class PromptManager {
  readonly #api: ManagerParts['api']
  readonly #background: PromptParts['background']
  readonly #cache: PromptCache<SvcPromptClient>
  readonly #files: FileFallback

  constructor({ api, background, clock, files = {} }: PromptParts) {
    this.#api = api
    this.#background = background
    this.#files = new FileFallback(files, clock)
    this.#cache = new PromptCache(() => clock.now(), {
      isGone,
      report(name, error) {
        const done = isGone(error)
          ? 'is no longer in the service, so the cached version is not used any more'
          : 'cannot be refreshed, so the cached version is used'
        warnOnce(`prompt "${name}" ${done}: ${messageOf(error)}`)
      },
    })
  }

  /**
   * Returns a prompt by name: the version labelled `production`, unless `version` or `label` is set.
   *
   * It is cached for `cacheTtlSeconds`. After that, the cached prompt is returned at once, while a new one is fetched
   * in the background, until the service says that it is gone (404). Concurrent calls share a fetch. If a file of the
   * project contains that version or label (option `prompts` of the client), calls do not wait for a service that is
   * down: they return the file, as a fallback, until the service responds.
   *
   * A call ends within `fetchTimeoutMs`, whatever pause the service asks for: the cached prompt, else the `fallback`, is
   * then used.
   *
   * @param options `version` or `label`, `type`, `cacheTtlSeconds`, `fallback`, `fileAfterMs`, `fetchTimeoutMs`,
   *   `maxRetries`
   * @throws {Error} if it cannot be fetched, is not cached, and there is neither a file nor a `fallback`
   * @throws {TypeError} if the options are no object, or the `fallback` does not match `type`
   * @example
   * const prompt = await client.prompt.get('movie-critic', { fallback: 'Judge {{movie}}.' })
   * const text = prompt.compile({ movie: 'Dune' })
   */
  get<N extends RegisteredName>(name: N, options?: GetPromptOptions<RegisteredKind<N>>): Promise<RegisteredPrompt<N>>
  get<K extends PromptKind = 'text', N extends string = string>(
    name: OtherName<N>,
    options?: GetPromptOptions<K>,
  ): Promise<PromptClientOf<K>>
  async get<K extends PromptKind>(
    name: string,
    options: GetPromptOptions<K> = {},
    ...more: readonly never[]
  ): Promise<SvcPromptClient> {
    if (!isText(name)) throw misuse('prompt.get', 'the name of a prompt', name)
    checkOptions('prompt.get', [name, options, ...more], BARE)
    checkFallback(options)
    const prompt = await this.#known(name, options).catch((error: unknown) => this.#instead(name, options, error))
    const wanted = options.type
    if (wanted !== undefined && prompt.type !== wanted) {
      warnOnce(`prompt "${name}" is of type ${prompt.type}, but type "${wanted}" was requested.`)
    }
    return prompt
  }

  /**
   * Creates a new version. Later calls of `get` fetch again.
   *
   * @returns the prompt with its new version
   * @throws {TypeError} unless `body` has a name and a text, or messages with `type: 'chat'`
   */
  create(body: CreateTextPromptRequest): Promise<TextPromptClient>
  create(body: CreateChatPromptBody): Promise<ChatPromptClient>
  async create(body: CreateTextPromptRequest | CreateChatPromptBody): Promise<SvcPromptClient> {
    const request = createRequest(body)
    try {
      return promptClientOf(await this.#api.prompts.create(request))
    } finally {
      this.#cache.forget(body.name)
    }
  }

  /**
   * Moves labels to a version from other versions of the prompt. Later calls of `get` fetch again.
   *
   * @throws {TypeError} without a name, a version or a list of labels
   */
  async update(update: PromptUpdate): Promise<Prompt> {
    const { name, version, newLabels } = checkedUpdate(update)
    try {
      return await this.#api.promptVersion.update(name, version, { newLabels })
    } finally {
      this.#cache.forget(name)
    }
  }

  /**
   * Deletes all versions of a prompt, or only the given version or label. Later calls of `get` fetch again.
   *
   * @throws {TypeError} if the options are no object
   */
  async delete(name: string, options: { readonly version?: number; readonly label?: string } = {}): Promise<void> {
    checkOptions('prompt.delete', [name, options], BARE)
    try {
      await this.#api.prompts.delete(name, options)
    } finally {
      this.#cache.forget(name)
    }
  }

  #known(name: string, options: GetPromptOptions<PromptKind>): Promise<SvcPromptClient> {
    const { version, label, fetchTimeoutMs, maxRetries } = options
    const timeoutInSeconds = fetchTimeoutMs === undefined ? undefined : fetchTimeoutMs / 1_000
    const from = (api: PromptParts['background']) => async () =>
      promptClientOf(await api.prompts.get(name, { version, label }, { timeoutInSeconds, maxRetries }))
    const variant = variantOf(options)
    const seconds = ttlSeconds(options.cacheTtlSeconds)
    const loading = { freshFor: seconds * 1_000, shareKey: JSON.stringify([fetchTimeoutMs, maxRetries]) }
    const file = this.#files.find(name, options)
    if (!file) {
      const [load, refresh] = [from(this.#api), from(this.#background)]
      if (seconds === 0) return this.#cache.reload(name, variant, load)
      return this.#cache.get(name, variant, { ...loading, load, refresh })
    }
    const known = this.#cache.peek(name, variant)
    // A fetch that a file can replace does not keep the process alive.
    const load = this.#files.watched(from(this.#background))
    // While the service is down, fetches are shared even without a cache, because they may hang.
    const isOwn = seconds === 0 && !this.#files.isAway
    const fetched = isOwn
      ? this.#cache.reload(name, variant, load)
      : this.#cache.get(name, variant, { ...loading, load, refresh: load })
    return this.#files.unlessFetched(fetched, { name, variant, file, known, waitMs: waitMs(options.fileAfterMs) })
  }

  #instead(name: string, options: GetPromptOptions<PromptKind>, error: unknown): SvcPromptClient {
    const { fallback, version = 0, label } = options
    const reason = messageOf(error)
    // What the service says about this prompt is newer: it may be deleted.
    const cached = isAnswer(error) ? undefined : this.#cache.peek(name, variantOf(options))
    const used = cached ? ', so the cached version is used' : fallback ? ', so the fallback is used' : ''
    log.error(`prompt "${name}" (${variantOf(options)}) cannot be fetched${used}: ${reason}`)
    if (cached) return cached
    if (!fallback) throw error
    const labels = label === undefined ? [] : [label]
    return fallbackClient({ name, version, config: {}, labels }, fallback, reason)
  }
}

/** Argument of {@link PromptManager.update}. */
export interface PromptUpdate {
  readonly name: string
  readonly version: number
  /** Labels that this version takes over from the others. */
  readonly newLabels: readonly string[]
}

function checkedUpdate(update: PromptUpdate): PromptUpdate {
  const { name, version, newLabels } = update ?? {}
  if (!isText(name)) throw misuse('prompt.update', 'a name (a string)', name)
  if (!Number.isSafeInteger(version)) throw misuse('prompt.update', 'a version that is a whole number', version)
  if (!Array.isArray(newLabels)) throw misuse('prompt.update', 'newLabels that are a list of strings', newLabels)
  return { name, version, newLabels }
}

/** Whether the service knows no such prompt, version or label any more. */
function isGone(error: unknown): boolean {
  return error instanceof SvcAPIError && error.statusCode === 404
}

/** Checks the fallback on every call, not only when it is needed. */
function checkFallback({ type, fallback }: GetPromptOptions<PromptKind>): void {
  if (!fallback) return
  const isList = Array.isArray(fallback)
  if (type !== 'chat' && typeof fallback === 'string') return
  if (type !== 'text' && isList) return
  const needs = type === 'chat' ? 'a list of messages' : 'a string'
  throw misuse('prompt.get', `for type "${type ?? 'text'}" a fallback that is ${needs}`, fallback)
}

function ttlSeconds(option: unknown): number {
  if (option === undefined) return DEFAULT_TTL_SECONDS
  if (typeof option === 'number' && option >= 0) return option
  warnOnce(
    `cacheTtlSeconds of a prompt is ignored: expected a number from 0, so ${DEFAULT_TTL_SECONDS} seconds are used.`,
  )
  return DEFAULT_TTL_SECONDS
}

function waitMs(option: unknown): number {
  if (option === undefined) return DEFAULT_FILE_AFTER_MS
  if (typeof option === 'number' && option >= 0) return option
  warnOnce(`fileAfterMs of a prompt is ignored: expected a number from 0, so ${DEFAULT_FILE_AFTER_MS} ms are used.`)
  return DEFAULT_FILE_AFTER_MS
}
