import { log, messageOf, warnOnce } from '@svc/core/log'
import type { CreateTextPromptRequest, Prompt } from '../api/types/prompts.ts'
import { isText, misuse } from '../misuse.ts'
import type { ManagerParts } from '../parts.ts'
import { type CreateChatPromptBody, createRequest } from './create-request.ts'
import { fallbackClient } from './fallback.ts'
import { PromptCache } from './prompt-cache.ts'
import { type ChatPromptClient, promptClientOf, type SvcPromptClient, type TextPromptClient } from './prompt-client.ts'
import { type GetPromptOptions, type PromptClientOf, type PromptKind, variantOf } from './prompt-options.ts'

const DEFAULT_TTL_SECONDS = 60

/** What a {@link PromptManager} is made of. */
export interface PromptParts extends Pick<ManagerParts, 'api' | 'clock'> {
  /** Keeps no process alive: for what nobody waits for. */
  readonly background: Pick<ManagerParts['api'], 'prompts'>
}

/** `client.prompt`: prompts by name, kept for a while, so that a model call does not wait for the service. */
export class PromptManager {
  readonly #api: ManagerParts['api']
  readonly #background: PromptParts['background']
  readonly #cache: PromptCache<SvcPromptClient>

  constructor({ api, background, clock }: PromptParts) {
    this.#api = api
    this.#background = background
    this.#cache = new PromptCache(
      () => clock.now(),
      (name, error) => {
        warnOnce(`prompt "${name}" cannot be refreshed, so the one fetched before is used: ${messageOf(error)}`)
      },
    )
  }

  /**
   * The prompt of that name: the version labelled `production`, unless another version or label is asked for.
   *
   * It is kept for `cacheTtlSeconds`. After that the old one is given at once, while a new one is fetched in the
   * background. Who asks while the first fetch runs waits for the same answer.
   *
   * @param options `version` or `label`, `type`, `cacheTtlSeconds`, `fallback`, `fetchTimeoutMs`, `maxRetries`
   * @throws {Error} when it cannot be fetched, nothing is kept, and there is no `fallback`
   * @throws {TypeError} when the `fallback` is not of that `type`
   * @example
   * const prompt = await client.prompt.get('movie-critic', { fallback: 'Judge {{movie}}.' })
   * const text = prompt.compile({ movie: 'Dune' })
   */
  async get<K extends PromptKind = 'text'>(
    name: string,
    options: GetPromptOptions<K> = {},
  ): Promise<PromptClientOf<K>> {
    if (!isText(name)) throw misuse('prompt.get', 'the name of a prompt', name)
    checkFallback(options)
    const prompt = await this.#known(name, options).catch((error: unknown) => this.#instead(name, options, error))
    const wanted = options.type
    if (wanted !== undefined && prompt.type !== wanted) {
      warnOnce(`prompt "${name}" is of type ${prompt.type}, but type "${wanted}" was asked for.`)
    }
    return prompt as PromptClientOf<K>
  }

  /**
   * Stores a new version. Later calls of `get` fetch again.
   *
   * @returns the prompt with the version that the service counted
   * @throws {TypeError} for what is no prompt: a name and a text, or messages with `type: 'chat'`
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
   * Gives labels to a version; other versions of the prompt lose them. Later calls of `get` fetch again.
   *
   * @throws {TypeError} without a name, a version and a list of labels
   */
  async update(update: PromptUpdate): Promise<Prompt> {
    const { name, version, newLabels } = checkedUpdate(update)
    try {
      return await this.#api.promptVersion.update(name, version, { newLabels })
    } finally {
      this.#cache.forget(name)
    }
  }

  /** Deletes all versions of a prompt, or the one of that version or label. Later calls of `get` fetch again. */
  async delete(name: string, options: { readonly version?: number; readonly label?: string } = {}): Promise<void> {
    try {
      await this.#api.prompts.delete(name, options)
    } finally {
      this.#cache.forget(name)
    }
  }

  async #known(name: string, options: GetPromptOptions<PromptKind>): Promise<SvcPromptClient> {
    const { version, label, fetchTimeoutMs, maxRetries } = options
    const timeoutInSeconds = fetchTimeoutMs === undefined ? undefined : fetchTimeoutMs / 1_000
    const from = (api: PromptParts['background']) => async () =>
      promptClientOf(await api.prompts.get(name, { version, label }, { timeoutInSeconds, maxRetries }))
    const [load, refresh] = [from(this.#api), from(this.#background)]
    const seconds = ttlSeconds(options.cacheTtlSeconds)
    if (seconds === 0) return this.#cache.reload(name, variantOf(options), load)
    const manner = JSON.stringify([fetchTimeoutMs, maxRetries])
    return this.#cache.get(name, variantOf(options), { load, refresh, freshFor: seconds * 1_000, manner })
  }

  #instead(name: string, options: GetPromptOptions<PromptKind>, error: unknown): SvcPromptClient {
    const { fallback } = options
    log.error(
      `prompt "${name}" (${variantOf(options)}) cannot be fetched` +
        `${fallback ? ', so the fallback is used' : ''}: ${messageOf(error)}`,
    )
    if (!fallback) throw error
    return fallbackClient(name, fallback, options)
  }
}

/** What {@link PromptManager.update} changes. */
export interface PromptUpdate {
  readonly name: string
  readonly version: number
  /** Labels that this version takes over from the others. */
  readonly newLabels: readonly string[]
}

function checkedUpdate(update: PromptUpdate): PromptUpdate {
  const { name, version, newLabels } = update ?? {}
  if (!isText(name)) throw misuse('prompt.update', 'a name that is a text', name)
  if (!Number.isSafeInteger(version)) throw misuse('prompt.update', 'a version that is a whole number', version)
  if (!Array.isArray(newLabels)) throw misuse('prompt.update', 'newLabels that are a list of texts', newLabels)
  return { name, version, newLabels }
}

/** Told of when it is given, and not when it is needed for the first time. */
function checkFallback({ type, fallback }: GetPromptOptions<PromptKind>): void {
  if (!fallback) return
  const isList = Array.isArray(fallback)
  if (type !== 'chat' && typeof fallback === 'string') return
  if (type !== 'text' && isList) return
  const needs = type === 'chat' ? 'a list of messages' : 'a text'
  throw misuse('prompt.get', `for type "${type ?? 'text'}" a fallback that is ${needs}`, fallback)
}

function ttlSeconds(said: unknown): number {
  if (said === undefined) return DEFAULT_TTL_SECONDS
  if (typeof said === 'number' && said >= 0) return said
  warnOnce(`cacheTtlSeconds of a prompt is ignored: expected a number from 0, so ${DEFAULT_TTL_SECONDS} seconds count.`)
  return DEFAULT_TTL_SECONDS
}
