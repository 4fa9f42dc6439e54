import {
  type Attributes,
  type Exception,
  type Span,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
} from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GEN_AI, GENERAL } from '@svc/core/attributes'
import { forget, type OpenCall, remember } from '@svc/core/open-calls'
import { capturesContent } from '../calls/configure.ts'
import { describeFailure } from '../calls/error.ts'
import { outcomeAttributes } from '../calls/outcome.ts'
import { defined } from '../calls/read.ts'
import { boundedAttributes } from './bounded-attributes.ts'
import { type Fate, fateOf, isAbort } from './fate.ts'
import { Said, type Words } from './said.ts'

/** What a span tells of: a whole call, or a part of one. */
export type Role = 'call' | 'step' | 'model' | 'tool'

export interface OpenSpanOptions {
  readonly role: Role
  readonly words: Words
  /** The span it lies in, where that is one of the SDK as well. */
  readonly above: OpenSpan | undefined
  /** Of a whole call: whether it wants recorded what the model says. Default true. */
  readonly tellsOutput?: boolean | undefined
  /** Of a whole call: what to do when it has ended. */
  readonly ended?: (() => void) | undefined
}

const TIMES = [GEN_AI.CLIENT_TIME_TO_FIRST_CHUNK, 'ai.response.msToFirstChunk']
const OUTPUTS = [GEN_AI.OUTPUT_MESSAGES, 'ai.response.text', 'ai.response.toolCalls', 'ai.response.object']

/**
 * Has a span of the AI SDK end however its call does: the SDK itself ends none of a stream that fails or is not read to
 * its end, tells no output of it, and takes a call for failed that the application gave up.
 */
export class OpenSpan implements OpenCall {
  readonly role: Role
  /** Of a whole call: how it will have ended, for all that is known. */
  foretell: (() => Fate | undefined) | undefined
  readonly #span: Span
  readonly #options: OpenSpanOptions
  readonly #above: OpenSpan | undefined
  /** The span of the whole call. */
  readonly #call: OpenSpan
  readonly #below = new Set<OpenSpan>()
  readonly #finish: (at?: TimeInput) => void
  #latest: OpenSpan | undefined
  #said: Said | undefined
  #told = false
  #timed = false
  #typed = false
  #lastSign = performance.now()
  #expected: Fate | undefined
  #cancelled = false
  #ended = false

  /** The methods of `span` are replaced; it stays the object it is. */
  constructor(span: Span, options: OpenSpanOptions) {
    const { role, above } = options
    this.role = role
    this.#span = span
    this.#options = options
    this.#above = above
    this.#call = role === 'call' || !above ? this : above.#call
    if (above) above.#below.add(this)
    if (role === 'model') this.#call.#ask(this)
    this.#sign()
    const { end } = span
    this.#finish = (at) => Reflect.apply(end, span, [at])
    this.#watch(span)
    remember(this)
  }

  /** What its model says from now on; undefined where somebody listens already. */
  listen(): Said | undefined {
    if (this.role !== 'model' || this.#said || this.#ended) return undefined
    const said = new Said(() => this.#sign())
    this.#said = said
    this.#call.#said = said
    return said
  }

  /** Of a whole call: the span of its latest request to the model. */
  get latest(): OpenSpan | undefined {
    return this.#latest
  }

  /** How it will have ended if nobody else ends it; undefined when somebody came for the rest. */
  expect(fate: Fate | undefined): void {
    this.#expected = fate
    this.#sign()
  }

  /** Adds what the SDK hears of its model and leaves out. */
  add(attributes: Attributes): void {
    if (this.role === 'model' && !this.#ended) this.#span.setAttributes(attributes)
  }

  /** A request to its model has failed, of which 5 and 6 tell no status. In 7 it may be made again in the same span. */
  refused(error: unknown): void {
    if (this.#options.words === 'ai' && !isAbort(error)) this.add(describeFailure(error).attributes)
  }

  /** It ends now, and what lies below it before. */
  endAs(fate: Fate): void {
    for (const each of [...this.#below]) each.endAs(fate)
    this.#end(fate)
  }

  /** The stream of its model broke off. Where a call has steps, the SDK itself says what follows. */
  modelEndedAs(fate: Fate): void {
    const above = this.#above
    this.endAs(fate)
    if (above?.role === 'call') above.endAs(fate)
    above?.expect(fate)
    this.#call.expect(fate)
  }

  /** What is read of it has failed, of which the SDK may tell nothing. */
  failed(error: unknown): void {
    this.endAs(this.#fate ?? fateOf(error))
  }

  abandon(): void {
    this.endAs(this.#fate ?? 'abandoned')
  }

  cutShort(): void {
    this.endAs(this.#fate ?? 'unfinished')
  }

  get #fate(): Fate | undefined {
    return this.#expected ?? this.#call.#expected ?? this.#call.foretell?.()
  }

  /** A request to the model that failed is made again, with a span of its own. */
  #ask(model: OpenSpan): void {
    const before = this.#latest
    if (before) before.#giveWay()
    this.#latest = model
  }

  #giveWay(): void {
    if (this.#expected) this.endAs(this.#expected)
  }

  #watch(span: Span): void {
    const { recordException, setStatus, setAttributes, addEvent } = span
    span.recordException = (exception, at) => {
      this.#cancelled ||= isAbort(exception)
      if (this.#cancelled) return
      Reflect.apply(recordException, span, [exception, at])
      if (!this.#typed) span.setAttributes(defined({ [GENERAL.ERROR_TYPE]: typeOf(exception) }))
    }
    span.setStatus = (status: SpanStatus) => {
      if (!this.#cancelled) Reflect.apply(setStatus, span, [status])
      return span
    }
    span.setAttributes = (attributes: Attributes) => {
      this.#told ||= OUTPUTS.some((name) => attributes[name] !== undefined)
      this.#timed ||= TIMES.some((name) => attributes[name] !== undefined)
      this.#typed ||= attributes[GENERAL.ERROR_TYPE] !== undefined
      Reflect.apply(setAttributes, span, [boundedAttributes(attributes)])
      return span
    }
    span.addEvent = (...event: Parameters<Span['addEvent']>) => {
      this.#sign()
      return Reflect.apply(addEvent, span, event) as Span
    }
    span.end = (at) => this.#end(this.#cancelled ? 'cancelled' : endingAs, at)
  }

  #end(fate: Fate | undefined, at?: TimeInput): void {
    if (this.#ended) return
    attempt('tell what a model said', () => this.#tell())
    this.#ended = true
    forget(this)
    if (this.#above) this.#above.#below.delete(this)
    // Requests that were made again stay open otherwise.
    if (this.role === 'call') for (const each of this.#below) each.#end(fate)
    this.#options.ended?.()
    if (typeof fate === 'object') this.#fail(fate.error)
    else if (fate) this.#span.setAttributes(outcomeAttributes(fate))
    else this.#sign()
    // What nobody reads any more is noticed late.
    const late = fate === 'abandoned' || (fate !== undefined && fate === this.#fate)
    this.#finish(late ? this.#lastSign : at)
  }

  #tell(): void {
    const said = this.#said
    if (!said) return
    const withContent = this.#call.#options.tellsOutput !== false && capturesContent()
    const ofModel = this.role === 'model'
    if (!this.#told) this.#span.setAttributes(said.attributes(this.#options.words, ofModel, withContent))
    if (ofModel) this.#span.setAttributes({ ...said.tokens, ...(this.#timed ? {} : said.timing) })
    if (said.failure) this.#fail(said.failure.error)
  }

  #fail(error: unknown): void {
    const { message, attributes, exception } = describeFailure(error)
    this.#span.setAttributes(attributes)
    this.#span.recordException(exception)
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message })
  }

  #sign(now = performance.now()): void {
    this.#lastSign = now
    if (this.#above) this.#above.#sign(now)
  }
}

/** The SDK puts its initials before the names of its own errors. */
function typeOf(exception: Exception): string | undefined {
  return typeof exception === 'object' ? exception.name?.replace(/^AI_/, '') : undefined
}

let endingAs: Fate | undefined

/** Spans that end while `work` runs end so. */
export function withFate<T>(fate: Fate, work: () => T): T {
  const before = endingAs
  endingAs = fate
  try {
    return work()
  } finally {
    endingAs = before
  }
}
