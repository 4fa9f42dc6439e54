import type { Fields } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import type { JobReader } from '../jobs/job.ts'

/** An endpoint that calls a model: its path, and how to read its requests and responses. */
export interface ModelEndpoint extends Reader, Partial<Pick<JobReader, 'readJob'>> {
  /** Name of the span, for what is no call of a model. */
  readonly title?: string
  /** Whether `observeOpenAI` has no form of its own for it. */
  readonly isUnobserved?: true
  /** Matches the path that the client posts to. */
  readonly path: RegExp
  /** Matches the path at which the client asks for the state of a job. */
  readonly statePath?: RegExp
  /** Matches the path of a job's results, whose first group is their id or the job's. */
  readonly resultsPath?: RegExp
}

export interface ClientLibrary {
  /** Name of the tracer. */
  readonly scope: string
  /** `gen_ai.provider.name`, unless the server's address implies another one. */
  readonly provider: string
  readonly operations: readonly ModelEndpoint[]
  /** Returns whether a client creates spans of its own, so that we create none. */
  recordsItself?(client: Fields): boolean
}
