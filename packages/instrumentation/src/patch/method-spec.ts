import type { Attributes } from '@opentelemetry/api'
import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import type { RequestContent, ResponseContent } from '../gen-ai/content.ts'
import type { Fields } from '../gen-ai/read.ts'
import type { CallSpan } from '../record/call.ts'

/** What a span needs to know of a request. */
export interface RequestInfo {
  /** Name of the span. Default: the operation, and what it is done with. */
  readonly name?: string
  readonly model?: string | undefined
  readonly tool?: string | undefined
  /** The invoked agent. */
  readonly agent?: string | undefined
  /** The index or collection, for a retrieval. */
  readonly dataSource?: string | undefined
  /** Attributes that are recorded even without content, and those of the server. */
  readonly attributes: Attributes
  /** Reads the content of the request; called only if content is recorded. */
  readContent(): RequestContent
  /** The abort signal: null if the application passed none, absent if the library accepts none. */
  readonly signal?: unknown
  readonly secrets?: () => readonly string[]
}

/** Describes a method that calls a model and returns a promise. */
export interface MethodSpec extends ResponseSpec {
  readonly name: string
  /** `gen_ai.operation.name`. Default: none. */
  readonly operation?: string
  /** Whether its requests go to a vendor of models. Default: if a model is called. */
  readonly isVendors?: true
  /** Returns whether a call with these arguments is recorded. Default: always. */
  appliesTo?(args: readonly unknown[]): boolean
  /** @param owner the object whose method is called */
  describeRequest(owner: Fields, args: readonly unknown[]): RequestInfo
}

/** Describes what a method returns. */
export interface ResponseSpec {
  /** @param whole the same value, which may be a string */
  readResponse(value: Fields, whole?: unknown): ResponseContent
  /** Returns the response that an error stands for; undefined if it is a failure. Default: undefined. */
  readError?(error: unknown): ResponseContent | undefined
  /** Returns what had been answered before a failure, if the error has it. Default: undefined. */
  readPartial?(error: unknown): ResponseContent | undefined
  createAccumulator?(): StreamAccumulator
  /** Whether the request is sent only when the stream is read. */
  readonly isLazy?: true
  /**
   * Follows a result that is neither a response nor a stream until it ends. Returns false if it is one of these, which
   * is then handled as usual.
   */
  followResult?(value: Fields, call: CallSpan): boolean
  /** Returns the stream in the promise's value. Default: the value itself. */
  findStream?(value: Fields): unknown
}
