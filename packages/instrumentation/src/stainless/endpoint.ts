import type { Fields } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'

/** An endpoint that calls a model: its path, and how to read its requests and responses. */
export interface ModelEndpoint extends Reader {
  /** Matches the path that the client posts to. */
  readonly path: RegExp
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
