import type { SvcApi } from './api/bind.ts'
import { SvcAPIError, SvcAPITimeoutError } from './api/errors.ts'

type Projects = Pick<SvcApi, 'projects'>

/** The project that the keys belong to. */
export class ConnectedProject {
  readonly #api: Projects
  readonly #background: Projects
  readonly #baseUrl: string | undefined
  #id: Promise<string> | undefined
  /** Set while the service does not respond. */
  #timeout: SvcAPITimeoutError | undefined

  /** @param background for requests that nobody waits for, which do not keep the process alive */
  constructor(api: Projects, background: Projects, baseUrl: string | undefined) {
    this.#api = api
    this.#background = background
    this.#baseUrl = baseUrl
  }

  /** Who waited in vain for a service that does not respond need not wait again: it is asked in the background. */
  id(): Promise<string> {
    const timeout = this.#timeout
    this.#id ??= this.#ask(timeout ? this.#background : this.#api)
    if (!timeout) return this.#id
    this.#id.catch(() => {})
    return Promise.reject(timeout)
  }

  /** Returns the URL of a page of the project. */
  async url(page: string): Promise<string> {
    return `${this.#baseUrl}/project/${encodeURIComponent(await this.id())}/${page}`
  }

  async #ask(api: Projects): Promise<string> {
    try {
      const projects = await api.projects.get()
      const id = projects?.data?.[0]?.id
      if (typeof id !== 'string') throw new SvcAPIError('The service returned no project for these keys.')
      this.#timeout = undefined
      return id
    } catch (error) {
      this.#id = undefined
      this.#timeout = error instanceof SvcAPITimeoutError ? error : undefined
      throw error
    }
  }
}
