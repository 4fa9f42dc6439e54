import type { Context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { type MissingEnd, type OpenCall, track, untrack } from '@svc/core/open-calls'
import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import { capturesContent } from '../gen-ai/configure.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { parseJson } from '../gen-ai/parts.ts'
import { type Fields, isObject } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import { readServer } from '../gen-ai/server.ts'
import { CallSpan } from '../record/call.ts'
import { requestContentAttributes } from '../record/write.ts'
import { providerIn, type ReadHeader, readModel, type WireApi } from './apis.ts'
import { isStoppedByReader, readAbortReason, stoppedByCaller } from './end-reason.ts'
import { isForm, readForm } from './form.ts'
import { KeptBytes } from './kept-bytes.ts'
import { answered, type ConnectionOf, ignoreAtOwnRoute } from './own-route.ts'
import { ReceivedBody } from './received-body.ts'

/** What is known of a request when it is made. */
export interface WireRequest {
  readonly api: WireApi
  /** Scheme, host and port. */
  readonly origin: string
  /** Without the query. */
  readonly path: string
  /** Whether the host is known to serve models, so that a request is a call even if its body cannot be read. */
  readonly isKnownHost: boolean
  /** The context of the caller: events come in that of the connection. */
  readonly context: Context
  /** Keys in the request, which no text of the call repeats. */
  readonly secrets: readonly string[]
}

/**
 * One request and its response. Chunks are kept as they came. The request is read when the response begins, and then the
 * span starts, with the time of the request; the response is read when it ends, whichever way.
 */
export class WireExchange implements OpenCall, StreamAccumulator {
  handle: OpenCall['handle']
  readonly isComplete = false
  /** Whether nothing more is kept. */
  isOver = false
  /** Called when the span starts. Must not throw. */
  onCall: ((call: CallSpan) => void) | undefined
  readonly #request: WireRequest
  readonly #sent = new KeptBytes()
  readonly #received = new ReceivedBody()
  readonly #startTime = performance.now()
  #reader: Reader
  #call: CallSpan | undefined

  constructor(request: WireRequest) {
    this.#request = request
    this.#reader = request.api.reader
    track(this)
  }

  /** Called when the request is sent. @param socketOf returns its connection, once it has one */
  sending(socketOf: ConnectionOf): void {
    if (this.#isWaiting) ignoreAtOwnRoute(this, socketOf)
  }

  /** Called with each chunk of the request. */
  send(chunk: unknown, encoding?: unknown): void {
    if (this.#isWaiting) this.#sent.add(chunk, encoding)
  }

  /** Called with the head of the response. */
  responded(status: number, header: ReadHeader): void {
    // Early hints, and where the request is to be sent instead.
    if (status < 200 || this.isOver) return
    this.#received.responded(status, header)
    if (status >= 300 && status < 400) this.drop()
    else this.#begin()?.responseStarted(header)
  }

  /** Called with each chunk of the response. */
  receive(chunk: unknown, encoding?: unknown): void {
    if (this.isOver) return
    this.#received.receive(chunk, encoding)
    this.#call?.touchChunk()
  }

  /** Called when the whole response has arrived. */
  done(): void {
    const call = this.#begin()
    const { status = 0 } = this.#received.head ?? {}
    if (status >= 400) call?.fail(this.#received.statusError(status), false, {})
    else call?.end()
  }

  /** Called when no more will arrive. */
  failed(cause: unknown): void {
    const call = this.#begin()
    if (!call) return
    const error = readAbortReason(cause)
    const isUnread = this.#received.head !== undefined && isStoppedByReader(error)
    if (isUnread && attempt('read an answer', () => this.#received.read(this.#request.api, this.#reader).isComplete))
      call.end()
    else if (isUnread) call.end('stopped early')
    else if (stoppedByCaller(error)) call.end('cancelled')
    else call.fail(error, false)
  }

  endWithout(missing: MissingEnd): void {
    this.#begin()?.end(missing)
  }

  add(): boolean {
    return false
  }

  /** What arrived so far. */
  get response(): ResponseContent {
    const { content, firstOutputAt } = this.#received.read(this.#request.api, this.#reader)
    if (firstOutputAt !== undefined) {
      const time = new Date(performance.timeOrigin + firstOutputAt)
      this.#call?.setRequest(undefined, { [ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME]: JSON.stringify(time) })
    }
    return content
  }

  /** Starts the span, once. Returns undefined if the request turns out to be no call. */
  #begin(): CallSpan | undefined {
    if (this.#call || this.isOver) return this.#call
    untrack(this)
    answered(this)
    const { api, path, origin, context, isKnownHost, secrets } = this.#request
    const body = attempt('read a request', () => this.#readRequest())
    if (body ? !api.isRequest(body, path) : !isKnownHost) {
      this.drop()
      return undefined
    }
    const model = readModel(api, body ?? this.#modelInText(), path)
    const reader = (body && api.findReader?.(model ?? '', body)) ?? api.reader
    this.#reader = reader
    const call = new CallSpan({
      scope: `@svc/instrumentation-${api.library}`,
      operation: reader.name,
      model,
      context,
      startTime: this.#startTime,
      attributes: readServer(origin, api.provider, providerIn(path)),
      secrets: () => secrets,
    })
    this.#call = call
    call.onEnd = () => this.drop()
    this.onCall?.(call)
    call.setAccumulator(this)
    if (!call.recording) {
      this.drop()
    } else if (body) {
      const attributes = attempt('read the parameters of a request', reader.readParameters, body) ?? {}
      const content = () => requestContentAttributes(reader.readRequest(body))
      if (api.streamPath?.test(path)) attributes[GEN_AI.REQUEST_STREAM] = true
      if (capturesContent()) Object.assign(attributes, attempt('read the messages of a request', content))
      call.setRequest(undefined, attributes)
    }
    this.#sent.clear()
    return call
  }

  /** Whether nothing is known of the response yet. */
  get #isWaiting(): boolean {
    return !this.isOver && !this.#call
  }

  /** Lets go of everything: nothing more is kept. */
  drop(): void {
    this.isOver = true
    untrack(this)
    answered(this)
    this.#sent.clear()
    this.#received.clear()
  }

  #readRequest(): Fields | undefined {
    const bytes = this.#sent.whole()
    if (isForm(bytes)) return readForm(bytes)
    const json = this.#sent.isCut ? undefined : parseJson(bytes.toString())
    return isObject(json) ? json : undefined
  }

  /** The model in a body that is too long to be kept whole. */
  #modelInText(): Fields {
    return { model: /"model"\s{0,9}:\s{0,9}"([^"\\]{1,200})"/.exec(this.#sent.whole().toString('latin1'))?.[1] }
  }
}
