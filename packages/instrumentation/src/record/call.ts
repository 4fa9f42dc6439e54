import {
  type Attributes,
  type Context,
  context,
  type Link,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type TimeInput,
  type Tracer,
} from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE, GEN_AI, GENERAL } from '@svc/core/attributes'
import { withSpan } from '@svc/core/flat-context'
import { withinFrameworkCall } from '@svc/core/framework-call'
import { track } from '@svc/core/open-calls'
import { type MissingEnd, SpanLife } from '@svc/core/span-life'
import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { readHeaderCost } from '../gen-ai/cost.ts'
import { markRecorded } from './claim.ts'
import { callKey } from './current.ts'
import { describeFailure, failSpan, getTimeout, isCancellation, type SpanFailure } from './error.ts'
import { type CallOutcome, outcomeAttributes } from './outcome.ts'
import { type ToolLoop, toolLoopIn } from './run-key.ts'
import { getTracer } from './tracer.ts'
import { responseAttributes, withParameters, write, writeUnanswered } from './write.ts'

/** Writes the response or the failure of a call as attributes. */
export interface CallWriter {
  response(response: ResponseContent): Attributes
  failure(error: unknown, failure: SpanFailure): Attributes
}

export interface CallStart {
  /** Name of the tracer. */
  readonly scope: string
  /** The tracer that starts the span. Default: the global provider's tracer named `scope`. */
  readonly tracer?: Pick<Tracer, 'startSpan'> | undefined
  /** Whether the tracer is that of `answeringTracer`. Default: false */
  readonly isFrameworks?: boolean
  /** `gen_ai.operation.name`; undefined for what has none, which then needs a name. */
  readonly operation?: string | undefined
  /** Name of the span. Default: the operation and the model, tool or data source. */
  readonly name?: string | undefined
  /** Default: client. */
  readonly kind?: SpanKind
  readonly links?: readonly Link[]
  /** The requested model; may be set later by {@link CallSpan.setRequest}. */
  readonly model?: string | undefined
  /** Whether its requests go to a vendor of models. Default: if a model is called. */
  readonly isVendors?: boolean
  /** The tool, if a tool is called instead of a model. */
  readonly tool?: string | undefined
  /** The index or collection, for a retrieval. */
  readonly dataSource?: string | undefined
  /** Attributes at the start. The object belongs to the call, which adds to it. */
  readonly attributes: Attributes
  /** The parent context. Default: the active one. */
  readonly context?: Context | undefined
  /** Default: now. */
  readonly startTime?: TimeInput | undefined
  /** Default: the service's dialect, see write.ts. */
  readonly writer?: CallWriter | undefined
  /** Returns strings to remove from error messages: API keys, which may be known only when the call fails. */
  readonly secrets?: () => readonly string[]
}

/** Operations that are not model calls; the last is none. */
const OF_APPLICATION: ReadonlySet<string> = new Set(['retrieval', 'invoke_agent', ''])

/** The span of one model or tool call. */
export class CallSpan extends SpanLife {
  readonly recording: boolean
  /** The abort signal that the application passed. */
  signal: unknown
  /** Called with the span right before it ends. */
  beforeEnd: ((span: Span) => void) | undefined
  /** Called when the call ends. Must not throw. */
  onEnd: (() => void) | undefined
  /** Called once, when the response headers arrive. */
  onResponse: (() => void) | undefined
  readonly #start: CallStart
  // Libraries keep objects of a call alive for longer than it lasts: its content must not stay with them.
  #span: Span | undefined
  #context: Context | undefined
  #run: ToolLoop | undefined
  #requestSent = false
  #accumulator: StreamAccumulator | undefined
  #hasOutput = false

  constructor(start: CallStart) {
    super()
    const { scope, operation = '', name = spanName(operation, start.model ?? start.tool ?? start.dataSource) } = start
    const { model, tool, dataSource, attributes, startTime, tracer = getTracer(scope) } = start
    if (operation) attributes[GEN_AI.OPERATION_NAME] = operation
    if (model !== undefined) attributes[GEN_AI.REQUEST_MODEL] = model
    if (tool !== undefined) attributes[GEN_AI.TOOL_NAME] = tool
    if (dataSource !== undefined) attributes[GEN_AI.DATA_SOURCE_ID] = dataSource
    const isModel = tool === undefined && !OF_APPLICATION.has(operation)
    const active = start.context ?? context.active()
    const parent = isModel ? withinFrameworkCall(active) : active
    const { kind = SpanKind.CLIENT, links } = start
    const options: SpanOptions = { kind, attributes: withParameters(attributes) }
    if (links?.length) options.links = [...links]
    if (startTime !== undefined) options.startTime = startTime
    this.#start = start
    const span = tracer.startSpan(name, options, parent)
    this.#span = span
    // Of a framework's call the chunks are counted once: at the span of the framework.
    if (!start.isFrameworks) this.timedCall = span.spanContext()
    this.recording = span.isRecording()
    // Requests made by a tool or an agent are the application's own; those of a model call go to its vendor.
    this.#context = withSpan(parent, span, (start.isVendors ?? isModel) ? callKey : undefined, this)
    if (isModel) this.#run = toolLoopIn(parent)
    if (this.recording) track(this)
    if (isModel && operation !== 'embeddings') markRecorded(parent)
  }

  get spanContext(): SpanContext | undefined {
    return this.timedCall as SpanContext | undefined
  }

  /** Calls `work` with this span as the active one. */
  run<T>(work: () => T): T {
    return this.#context ? context.with(this.#context, work) : work()
  }

  /** Adds attributes of the request that became known after the start. */
  setRequest(model: string | undefined, attributes: Attributes): void {
    const span = this.#span
    if (!span) return
    if (model !== undefined && model !== this.#start.model) {
      if (this.#start.name === undefined) span.updateName(spanName(this.#start.operation ?? '', model))
      span.setAttribute(GEN_AI.REQUEST_MODEL, model)
    }
    write(span, withParameters(attributes))
  }

  /** Called before the request is sent. Returns false for a retry, which belongs to the same call. */
  requestSent(): boolean {
    if (!this.recording || this.#requestSent) return false
    this.#requestSent = true
    return true
  }

  /** Called when the response headers arrive. */
  responseStarted(header?: (name: string) => unknown): void {
    this.touch()
    const cost = header && attempt('read the cost of a call', readHeaderCost, header)
    if (cost !== undefined && this.#span) write(this.#span, responseAttributes({ cost }))
    const { onResponse } = this
    this.onResponse = undefined
    onResponse?.()
  }

  setAccumulator(accumulator: StreamAccumulator): void {
    this.#accumulator = accumulator
  }

  onChunk(chunk: unknown): void {
    const span = this.#span
    const accumulator = this.#accumulator
    if (!span || !accumulator) return
    this.touchChunk()
    if (!accumulator.add(chunk) || this.#hasOutput) return
    this.#hasOutput = true
    write(span, { [ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME]: JSON.stringify(new Date()) })
  }

  endWithResponse(response: ResponseContent): void {
    this.finish(() => this.#write(response))
  }

  /**
   * @param byCaller whether the application cancelled the call
   * @param response what arrived before the failure
   */
  fail(error: unknown, byCaller = isCancellation(error), response?: ResponseContent): void {
    if (byCaller) this.end('cancelled')
    this.finish(() => {
      const failure = describeFailure(error, this.#start.secrets?.())
      if (response) this.#write(response)
      else this.#writeAccumulated()
      if (!this.#span) return
      failSpan(this.#span, failure)
      write(this.#span, this.#start.writer?.failure(error, failure) ?? {})
      writeUnanswered(this.#span)
    })
  }

  end(outcome?: CallOutcome): void {
    const timeout = outcome === 'cancelled' ? getTimeout(this.signal) : undefined
    if (timeout) {
      this.fail(timeout, false)
      return
    }
    this.finish(() => {
      this.#writeAccumulated()
      if (!outcome || !this.#span) return
      write(this.#span, outcomeAttributes(outcome))
      if (outcome === 'cancelled') writeUnanswered(this.#span)
    }, this.endTime(outcome))
  }

  endWithout(missing: MissingEnd): void {
    // The span of a framework ends before or after: what it says must not depend on that.
    if (this.#start.isFrameworks) this.finish(() => {})
    else this.end(missing)
  }

  #writeAccumulated(): void {
    const accumulator = this.#accumulator
    if (accumulator) attempt('put a streamed response together', () => this.#write(accumulator.response))
  }

  #write(response: ResponseContent): void {
    const span = this.#span
    if (!span) return
    write(span, this.#start.writer?.response(response) ?? responseAttributes(response))
    this.#run?.modelResponded(response)
    if (!response.failure) return
    span.setAttribute(GENERAL.ERROR_TYPE, response.failure.type)
    span.setStatus({ code: SpanStatusCode.ERROR, message: response.failure.message })
  }

  protected close(at: TimeInput | undefined): void {
    const span = this.#span
    this.#span = undefined
    this.#context = undefined
    this.#run = undefined
    this.#accumulator = undefined
    this.onResponse = undefined
    this.signal = undefined
    if (span && this.beforeEnd) attempt('complete a span', this.beforeEnd, span)
    this.beforeEnd = undefined
    this.onEnd?.()
    this.onEnd = undefined
    span?.end(at)
  }
}

function spanName(operation: string, subject: string | undefined): string {
  return subject === undefined ? operation : `${operation} ${subject}`
}
