import { log, messageOf } from '@svc/core/log'
import { SvcAPIError } from '../api/errors.ts'
import type { Clock } from '../clock.ts'
import { ChatPromptClient, type SvcPromptClient, TextPromptClient } from './prompt-client.ts'
import type { PromptFile, PromptFiles } from './prompt-files.ts'
import type { GetPromptOptions, PromptKind } from './prompt-options.ts'

/** A prompt that was asked for, and the file that holds it. */
interface Behind {
  readonly name: string
  /** For messages: `label production`. */
  readonly variant: string
  readonly file: PromptFile
  /** What was fetched before, however old: that is more than the file knows. */
  readonly known: SvcPromptClient | undefined
  /** How long the service may take. */
  readonly waitMs: number
}

/** The files of the project behind the service: where it does not answer in time, the file is the prompt. */
export class FilesBehind {
  readonly #files: PromptFiles
  readonly #clock: Pick<Clock, 'sleep'>
  #isAway = false

  constructor(files: PromptFiles, clock: Pick<Clock, 'sleep'>) {
    this.#files = files
    this.#clock = clock
  }

  /** Whether the last fetch that a file stands behind got no answer. Until one does, nobody waits for others. */
  get isAway(): boolean {
    return this.#isAway
  }

  /** The file of that name, when it holds the version or label that is meant. */
  find(name: string, { version, label }: Pick<GetPromptOptions<PromptKind>, 'version' | 'label'>) {
    const file = Object.hasOwn(this.#files, name) ? this.#files[name] : undefined
    const wanted = label ?? 'production'
    const hasLabel = file?.label === wanted || file?.labels.includes(wanted)
    // What is in no version of the service yet has version 0.
    const hasVersion = label === undefined && version !== 0 && file?.version === version
    return (version === undefined ? hasLabel : hasVersion) ? file : undefined
  }

  /** `load`, which tells from now on whether the service is away. */
  watched<T>(load: () => Promise<T>): () => Promise<T> {
    return async () => {
      try {
        const value = await load()
        this.#isAway = false
        return value
      } catch (error) {
        this.#isAway = !isAnswer(error)
        throw error
      }
    }
  }

  /** What is fetched, if it comes in time, else the file. A fetch that takes longer goes on: its prompt counts next. */
  async unlessFetched(fetched: Promise<SvcPromptClient>, behind: Behind): Promise<SvcPromptClient> {
    const waitMs = this.#isAway ? 0 : behind.waitMs
    const here = () => behind.known ?? fileClient(behind)
    try {
      const prompt = waitMs > 0 ? await this.#inTime(fetched, waitMs) : undefined
      if (prompt) return prompt
    } catch (error) {
      report(behind, messageOf(error))
      return here()
    }
    fetched.catch((error) => report(behind, messageOf(error)))
    if (waitMs > 0) {
      this.#isAway = true
      report(behind, `no answer within ${waitMs} ms`)
    }
    return here()
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

// A fallback, for nobody knows whether the service still has it so: nothing is linked to a version that may be gone.
function fileClient({ name, file: { type, prompt, ...more } }: Behind): SvcPromptClient {
  const facts = { name, version: more.version, config: more.config, labels: [...more.labels], tags: [] }
  return type === 'text'
    ? new TextPromptClient({ ...facts, prompt }, true)
    : new ChatPromptClient({ ...facts, prompt: [...prompt] }, true)
}

function report({ name, variant, known, file: { version } }: Behind, reason: string): void {
  if (known) return
  const which = version > 0 ? ` (version ${version})` : ''
  const message = `prompt "${name}" (${variant}) cannot be fetched, so its file${which} is used: ${reason}`
  log.once('warn', message, `file of prompt ${name}`)
}

/** Whether the service was there and refused, which it does for one prompt and not for others. */
function isAnswer(error: unknown): boolean {
  return error instanceof SvcAPIError && error.statusCode !== undefined && error.statusCode < 500
}
