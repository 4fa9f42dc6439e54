import type { SvcApi } from './api/bind.ts'
import { SvcAPIError } from './api/errors.ts'

/** The project that the keys belong to. */
export class ConnectedProject {
  readonly #api: Pick<SvcApi, 'projects'>
  readonly #baseUrl: string | undefined
  #id: Promise<string> | undefined

  constructor(api: Pick<SvcApi, 'projects'>, baseUrl: string | undefined) {
    this.#api = api
    this.#baseUrl = baseUrl
  }

  id(): Promise<string> {
    this.#id ??= this.#ask().catch((error: unknown) => {
      this.#id = undefined
      throw error
    })
    return this.#id
  }

  /** Returns the URL of a page of the project. */
  async url(page: string): Promise<string> {
    return `${this.#baseUrl}/project/${encodeURIComponent(await this.id())}/${page}`
  }

  async #ask(): Promise<string> {
    const projects = await this.#api.projects.get()
    const id = projects?.data?.[0]?.id
    if (typeof id !== 'string') throw new SvcAPIError('The service returned no project for these keys.')
    return id
  }
}
