import { log, messageOf } from '@svc/core/log'
import { own } from '@svc/core/own'
import { isRetriable } from '@svc/core/retry'
import { SvcAPIError } from '../api/errors.ts'
import type { ClientClock } from '../clock.ts'
import { fallbackClient } from './fallback.ts'
import type { SvcPromptClient } from './prompt-client.ts'
import type { PromptFile, PromptFiles } from './prompt-files.ts'
import type { GetPromptOptions, PromptKind } from './prompt-options.ts'

/** A requested prompt, and the file that contains it. */
interface FileForPrompt {
  readonly name: string
  /** For messages: `label production`. */
  readonly variant: string
  readonly file: PromptFile
  /** The version fetched before, which may be newer than the file. */
  readonly known: SvcPromptClient | undefined
  /** Milliseconds to wait for the service. */
  readonly waitMs: number
}

/** Uses the prompt files of the project when the service does not respond in time. */
export class FileFallback {
  readonly #files: PromptFiles
  readonly #clock: Pick<ClientClock, 'sleep'>
  /** Why the last fetch of a prompt with a file had no response. */
  #away: string | undefined

  constructor(files: PromptFiles, clock: Pick<ClientClock, 'sleep'>) {
    this.#files = files
    this.#clock = clock
  }

  /**
   * Whether the last fetch of a prompt with a file had no response. Until a fetch succeeds, calls do not wait for the
   * service.
   */
  get isAway(): boolean {
    return this.#away !== undefined
  }

  /** Returns the file of a prompt, if it contains the requested version or label. */
  find(name: string, { version, label }: Pick<GetPromptOptions<PromptKind>, 'version' | 'label'>) {
    const file = own(this.#files, name)
    const wanted = label ?? 'production'
    const hasLabel = file?.label === wanted || file?.labels.includes(wanted)
    // A file that is not stored in the service yet has version 0.
    const hasVersion = label === undefined && version !== 0 && file?.version === version
    return (version === undefined ? hasLabel : hasVersion) ? file : undefined
  }

  /** Wraps `load` to keep track of whether the service responds. */
  watched<T>(load: () => Promise<T>): () => Promise<T> {
    return async () => {
      try {
        const value = await load()
        this.#away = undefined
        return value
      } catch (error) {
        this.#away = isAnswer(error) ? undefined : messageOf(error)
        throw error
      }
    }
  }

  /** Returns the fetched prompt if it arrives in time, else the file. A slower fetch continues, for later calls. */
  async unlessFetched(fetched: Promise<SvcPromptClient>, behind: FileForPrompt): Promise<SvcPromptClient> {
    const waitMs = this.isAway ? 0 : behind.waitMs
    const { name, file, known } = behind
    const instead = (reason: string) => known ?? fallbackClient({ ...file, name }, file.prompt, reason)
    try {
      const prompt = waitMs > 0 ? await this.#inTime(fetched, waitMs) : undefined
      if (prompt) return prompt
    } catch (error) {
      report(behind, messageOf(error))
      return instead(messageOf(error))
    }
    fetched.catch((error) => report(behind, messageOf(error)))
    if (waitMs > 0) {
      this.#away = `no answer within ${waitMs} ms`
      report(behind, this.#away)
    }
    return instead(this.#away ?? 'it is not waited for')
  }

  async #inTime<T>(fetched: Promise<T>, ms: number): Promise<T | undefined> {
    const done = new AbortController()
    try {
      return await Promise.race([fetched, this.#clock.sleep(ms, done.signal).then(() => undefined)])
    } finally {
      done.abort()
    }
  }
}

function report({ name, variant, known, file: { version } }: FileForPrompt, reason: string): void {
  if (known) return
  const which = version > 0 ? ` (version ${version})` : ''
  const message = `prompt "${name}" (${variant}) cannot be fetched, so its file${which} is used: ${reason}`
  log.once('warn', message, `file of prompt ${name}`)
}

/** Whether the service responded with an error for this prompt, so that it is neither down nor busy. */
export function isAnswer(error: unknown): boolean {
  return error instanceof SvcAPIError && error.statusCode !== undefined && !isRetriable(error.statusCode)
}
