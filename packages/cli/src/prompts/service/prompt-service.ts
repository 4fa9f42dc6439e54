import { type Prompt as Answer, type CreatePromptRequest, NotFoundError, type SvcApi } from '@svc/client/api'
import { explained, type ServiceAddress } from '../../service/explain.ts'
import { type Content, isPlaceholder, LATEST, ownLabels, type Prompt } from '../prompt.ts'

export interface Listed {
  readonly name: string
  readonly latest: number
  /** Including `latest`. */
  readonly labels: readonly string[]
}

/** A version of a prompt in the service. */
export interface Stored {
  readonly prompt: Prompt
  readonly version: number
  readonly refersToOthers: boolean
}

/** The version to find. */
export type VersionOrLabel = { readonly label: string } | { readonly version: number }

type Api = Pick<SvcApi, 'prompts' | 'promptVersion'>

/** Time-out of each request. */
const LIMITS = { timeoutInSeconds: 15 }

/** The prompts of a project. Errors of the service are thrown as a Failure with one line. */
export class PromptService {
  readonly #api: Api
  readonly #place: ServiceAddress

  constructor(api: Api, place: ServiceAddress) {
    this.#api = api
    this.#place = place
  }

  /** Returns all prompts by name. */
  async list(): Promise<Map<string, Listed>> {
    const found = new Map<string, Listed>()
    await this.#explained(async () => {
      for await (const { name, versions, labels } of this.#api.prompts.list({ limit: 100 }, LIMITS)) {
        if (!isText(name)) throw new TypeError('a name is no text')
        found.set(name, {
          name,
          latest: versions.reduce((one, other) => Math.max(one, other), 0),
          labels: [...new Set([...labels, LATEST])],
        })
      }
    })
    return found
  }

  /** Returns a version with its references to other prompts unresolved; undefined if it does not exist. */
  async find(name: string, choice: VersionOrLabel): Promise<Stored | undefined> {
    return this.#explained(async () => {
      try {
        const answer = await this.#api.prompts.get(name, choice, LIMITS)
        const refersToOthers = Object.keys(answer.resolutionGraph ?? {}).length > 0
        // By default, references to other prompts are replaced by their content.
        const written = refersToOthers
          ? await this.#api.prompts.get(name, { ...choice, resolve: false }, LIMITS)
          : answer
        return storedOf(written, refersToOthers)
      } catch (error) {
        if (error instanceof NotFoundError) return undefined
        throw error
      }
    })
  }

  /** Creates a new version. */
  async create({ name, labels, content }: Prompt, commitMessage: string | undefined): Promise<Stored> {
    const body = { name, labels, ...(commitMessage !== undefined && { commitMessage }), ...requestOf(content) }
    const { version } = await this.#explained(() => this.#api.prompts.create(body as CreatePromptRequest, LIMITS))
    return (await this.find(name, { version })) ?? { prompt: { name, labels, content }, version, refersToOthers: false }
  }

  /** Moves labels to a version from other versions. */
  async label(name: string, version: number, newLabels: readonly string[]): Promise<void> {
    await this.#explained(() => this.#api.promptVersion.update(name, version, { newLabels }, LIMITS))
  }

  async #explained<T>(work: () => PromiseLike<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw explained(error, this.#place)
    }
  }
}

function storedOf(answer: Answer, refersToOthers: boolean): Stored {
  const { name, version, labels } = answer
  if (!isText(name) || !Number.isSafeInteger(version)) throw new TypeError('it has no name and version')
  return { prompt: { name, labels: ownLabels(labels), content: contentOf(answer) }, version, refersToOthers }
}

function contentOf({ type, prompt, config }: Answer): Content {
  // Without config the service has `{}` or null.
  const facts = { config: config ?? {} }
  if (type !== 'chat') {
    if (typeof prompt !== 'string') throw new TypeError('its prompt is no text')
    return { type: 'text', prompt, ...facts }
  }
  const entries = prompt.map((entry) => {
    if (entry.type === 'placeholder') return { type: 'placeholder' as const, name: entry.name }
    const { type: _, ...message } = entry as { type?: string; role: string; content: string }
    return message
  })
  return { type: 'chat', prompt: entries, ...facts }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function requestOf(content: Content): object {
  if (content.type === 'text') return content
  const prompt = content.prompt.map((entry) => (isPlaceholder(entry) ? entry : { ...entry, type: 'chatmessage' }))
  return { ...content, prompt }
}
