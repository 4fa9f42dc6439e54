import type { Attributes } from '@opentelemetry/api'
import type { Listener } from '../calls/call.ts'
import type { Fields } from '../calls/read.ts'
import type { Answer, Question } from '../calls/result.ts'

/** What a call of a method says of the call of a model (or a tool) that it is. */
export interface Asked {
  readonly model?: string | undefined
  readonly tool?: string | undefined
  /** What remains of a request when content is not recorded, and whom it goes to. */
  readonly attributes: Attributes
  /** Asked for only where content is recorded. */
  question(): Question
  /** By which the application may give up; null where it has not passed one, left out where none can be passed. */
  readonly signal?: unknown
  readonly secrets?: () => readonly string[]
}

/** A method that calls a model and returns an ordinary promise. */
export interface ObservedMethod {
  readonly name: string
  /** `gen_ai.operation.name` */
  readonly operation: string
  /** Whether these arguments ask a model. Default: all do. */
  applies?(args: readonly unknown[]): boolean
  /** @param owner the object whose method is called */
  ask(owner: Fields, args: readonly unknown[]): Asked
  answer(value: Fields): Answer
  /** For answers that come as a stream. */
  listen?(): Listener
  /** Where the stream is in what the promise gave. Default: that is the stream. */
  streamIn?(value: Fields): unknown
}
