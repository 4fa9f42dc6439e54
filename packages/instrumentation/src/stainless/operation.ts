import type { Attributes } from '@opentelemetry/api'
import type { Listener } from '../calls/call.ts'
import type { Fields } from '../calls/read.ts'
import type { Answer, Question } from '../calls/result.ts'

/** One endpoint that calls a model: where it is, and how its requests and answers read. */
export interface Operation {
  /** `gen_ai.operation.name` */
  readonly name: 'chat' | 'text_completion' | 'generate_content' | 'embeddings'
  /** The path that the client posts to. */
  readonly path: RegExp
  /** What remains of a request when content is not recorded. */
  parameters(body: Fields): Attributes
  question(body: Fields): Question
  answer(response: Fields): Answer
  /** For answers that come as a stream. */
  listen(): Listener
}

/** What a generated client library is to us. */
export interface Library {
  /** Name of the tracer. */
  readonly scope: string
  /** `gen_ai.provider.name`, unless the address of the server says otherwise. */
  readonly provider: string
  readonly operations: readonly Operation[]
  /** Whether a client makes spans of its own; then there are none of ours. */
  recordsItself?(client: Fields): boolean
}
