import type { Context, Span } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { log, messageOf } from '@svc/core/log'
import type { RequestRoot } from '@svc/core/muted-span'
import { ON_SERVER } from '@svc/core/on-server'
import { ENDED_EARLY, track } from '@svc/core/open-calls'
import { type MissingEnd, SpanLife } from '@svc/core/span-life'
import { messageIn, type StreamListener } from '@svc/tracing/adapters'
import { isAbort, isControlFlow } from '../control-flow.ts'
import { endObservation, writeFields } from '../observation.ts'
import { noteError } from '../request-error.ts'
import type { BodyText } from './body-text.ts'
import type { StreamOutcome } from './ui-message-text.ts'

const CLIENT_CLOSED = { level: 'WARNING', statusMessage: 'client closed' } as const

/**
 * Ends the root observation of a request exactly once: when the body was read, failed, was cancelled or was never
 * read, or when the process exits. The part streamed so far is the output.
 */
export class ResponseEnd extends SpanLife implements StreamListener {
  /** Context in which the body is produced. */
  context: Context
  readonly span: Span
  readonly #signal: AbortSignal | undefined
  readonly #request: RequestRoot | undefined
  /** The source that has to be read for the body to continue, until the response is done. */
  #reader: object | undefined
  #text: BodyText | undefined
  #outcome: StreamOutcome | undefined

  /** @param request the request as our pipeline follows it, where it does */
  constructor(context: Context, span: Span, signal: AbortSignal | undefined, request?: RequestRoot) {
    super()
    this.context = context
    this.span = span
    this.#signal = signal
    this.#request = request
    track(this)
  }

  /**
   * Called when the handler has returned a response: from here on its body decides when the root ends. A client may
   * disconnect before the body is read: that tells the request that we follow, or else the signal.
   */
  follow(text: BodyText | undefined, status: number): void {
    this.#text = text
    if (status >= 500) this.#outcome = { level: 'ERROR', statusMessage: `HTTP ${status}` }
    if (this.#signal?.aborted) this.cancelled()
    else if (ON_SERVER && this.#request?.whenDone) this.#request.whenDone(() => void this.#afterResponse())
    else this.#signal?.addEventListener('abort', () => this.cancelled(), { once: true })
  }

  onChunk(chunk: unknown): void {
    try {
      this.#text?.add(chunk)
    } catch (error) {
      log.debug(`cannot read a piece of a response: ${messageOf(error)}`)
    }
  }

  done(): void {
    this.#end(this.#text?.outcome ?? this.#outcome)
  }

  fail(error: unknown): void {
    noteError(error)
    if (isControlFlow(error)) this.#end()
    // The abort of a call in the handler is an error of the handler: its client waits for an answer.
    else if (this.#signal?.aborted ?? isAbort(error)) this.#end(CLIENT_CLOSED)
    else this.#end({ level: 'ERROR', statusMessage: messageIn(error) ?? 'Unknown error' })
  }

  cancelled(): void {
    this.#end(CLIENT_CLOSED)
  }

  endWithout(missing: MissingEnd): void {
    const statusMessage = missing === 'unfinished' ? ENDED_EARLY : 'the response was not read to its end'
    this.#end({ level: 'WARNING', statusMessage })
  }

  expectFrom(reader: object): void {
    // Mostly the body has been read when the response is done. Watching for its collection costs more than its text.
    if (ON_SERVER && this.#request?.whenDone) this.#reader = reader
    else this.endWithReader(reader)
  }

  async #afterResponse(): Promise<void> {
    if (this.ended) return
    // Only then the signal knows of it.
    await undefined
    if (this.#signal?.aborted) this.cancelled()
    else if (this.#reader) this.endWithReader(this.#reader)
    this.#reader = undefined
  }

  #end(outcome?: StreamOutcome): void {
    this.finish(() => writeFields(this.span, { ...outcome, output: this.#text?.output }))
  }

  protected close(): void {
    this.#text = undefined
    this.#reader = undefined
    attempt('end a request', endObservation, this.span)
  }
}
