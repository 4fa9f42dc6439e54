import { SpanKind, type Tracer } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { cancelEndWhenCollected, type OpenCall } from '@svc/core/open-calls'
import { capturesContent } from '../gen-ai/configure.ts'
import { asNumber, type Fields } from '../gen-ai/read.ts'
import { attributesOf } from './attribute-values.ts'
import { CallTexts } from './call-texts.ts'
import { addCall } from './calls.ts'
import { enrichSpan } from './enrich.ts'
import { errorType, recordErrorStatus, recordFailure } from './failure.ts'
import { Inference, type InferenceEnd } from './inference-duration.ts'
import type { OpenSpan } from './open-span.ts'
import { modelFields, type Operation, type RecordedContent, requestedFields } from './operations.ts'
import { type SpanPart, startPart } from './part.ts'
import { abortOutcome } from './span-outcome.ts'
import type { Role } from './span-role.ts'

export interface SdkCallOptions {
  readonly tracer: Tracer
  readonly operation: Operation
  /** The open calls, by the id that the SDK gives to each. */
  readonly calls: Map<string, SdkCall>
  /** Whether the application's meter provider gets the durations of its requests. */
  readonly measures: boolean
}

/** A span below that of the call. */
export interface PartStart {
  /** Finds the part again. */
  readonly key: string
  readonly role: Role
  readonly name: string
  readonly kind?: SpanKind
  /** As `enrichSpan` knows it. */
  readonly spanType: string
  readonly fields: readonly Fields[]
  /** Default: the call itself. */
  readonly above?: SpanPart | undefined
}

/** A call of the AI SDK 7: its span and the open spans below it. */
export class SdkCall implements OpenCall {
  readonly recorded: RecordedContent
  readonly provider: unknown
  readonly model: unknown
  /** Parameters that its requests to a language model share with it. */
  readonly request: Fields
  /** Parameters of its requests alone. */
  requested: Fields
  readonly instructions: unknown
  runtimeContext: unknown
  /** The tools of the open request to the model. */
  tools: readonly unknown[] = []
  readonly #id: string
  readonly #operation: Operation
  readonly #operationId: string
  readonly #options: SdkCallOptions
  /** Whether the SDK checks the answer, which it does after it has reported the end. */
  readonly #checksOutput: boolean
  readonly #root: SpanPart
  readonly #parts = new Map<string, SpanPart>()
  #inference: Inference | undefined

  constructor(id: string, event: Fields, options: SdkCallOptions) {
    const { operation } = options
    const { operationId, provider, modelId, recordInputs, recordOutputs, runtimeContext } = event
    const withContent = capturesContent()
    this.#id = id
    this.#operation = operation
    this.#operationId = String(operationId)
    this.#options = options
    this.#checksOutput = operationId === 'ai.generateText' && event.output !== undefined
    const [inputs, outputs] = [withContent && recordInputs !== false, withContent && recordOutputs !== false]
    this.recorded = { inputs, outputs, texts: new CallTexts() }
    this.provider = provider
    this.model = modelId
    this.request = parametersOf(event, operation)
    this.requested = requestedFields(event)
    this.instructions = operation.instructions && event[operation.instructions]
    this.runtimeContext = operation.hasRuntimeContext ? runtimeContext : undefined
    this.#root = this.#startRoot(event)
    options.calls.set(id, this)
    if (this.#root.open) addCall(id, this.#root.open)
  }

  part(key: string): SpanPart | undefined {
    return this.#parts.get(key)
  }

  startPart({ key, role, name, kind = SpanKind.CLIENT, spanType, fields, above }: PartStart, event: Fields): SpanPart {
    const attributes = attributesOf(this.#enriched(spanType), ...fields)
    const options = { name, kind, attributes, startTime: timeOf(event) }
    const part = startPart(this.#options.tracer, options, { role }, above ?? this.#root)
    // The latest comes last: parts end in reverse order.
    this.#parts.delete(key)
    this.#parts.set(key, part)
    return part
  }

  /** Ends a part, unless it has ended before. */
  endPart(key: string, event: Fields, finish?: (span: OpenSpan) => void): void {
    const open = this.#parts.get(key)?.open
    this.#parts.delete(key)
    if (!open) return
    if (finish) attempt('finish a span', () => finish(open))
    open.end(timeOf(event))
  }

  /** Starts to measure a request to a language model. */
  startMeasuring(event: Fields): void {
    this.recordDuration({ errorType: '_OTHER', timestamp: event.timestamp })
    if (!this.#options.measures) return
    this.#inference = new Inference(event.provider, event.modelId, event.timestamp)
  }

  /** Records the duration of that request. */
  recordDuration(end: InferenceEnd, inside?: SpanPart): void {
    const inference = this.#inference
    this.#inference = undefined
    inference?.record(end, (inside ?? this.#root).context)
  }

  end(event: Fields): void {
    const { open } = this.#root
    if (open) attempt('finish a span', () => this.#recordEnd(open, event))
    const close = () => {
      open?.end(timeOf(event))
      this.#close()
    }
    if (open && this.#checksOutput) {
      // A failed check is reported after the end, before the application goes on.
      open.expectedEnd = close
      setTimeout(close).unref?.()
    } else close()
  }

  fail(error: unknown, event: Fields): void {
    this.recordDuration({ errorType: errorType(error), timestamp: event.timestamp })
    this.#endAll((span) => {
      recordFailure(span, error)
      span.end(timeOf(event))
    })
  }

  /** The application aborted the call, or a timeout did. */
  abort(event: Fields): void {
    const outcome = abortOutcome(event.reason)
    this.recordDuration({ errorType: 'AbortError', timestamp: event.timestamp })
    if (typeof outcome !== 'string') this.#root.open?.endAs(outcome)
    this.#endAll((span) => span.end(timeOf(event), outcome))
  }

  endWithout(): void {
    attempt('end a call of the AI SDK', () => {
      this.#root.open?.endWithout('abandoned')
      this.recordDuration({ errorType: 'AbortError' })
      this.#endAll((span) => span.end(undefined))
    })
  }

  #recordEnd(open: OpenSpan, event: Fields): void {
    // A streamed object that does not fit, or an error in the stream.
    if (event.error !== undefined) recordFailure(open, event.error)
    else if (event.finishReason === 'error') recordErrorStatus(open)
    open.setAttributes(attributesOf(this.#operation.end(event, this.recorded)))
  }

  #endAll(end: (span: OpenSpan) => void): void {
    for (const { open } of [this.#root, ...this.#parts.values()].reverse()) if (open) end(open)
    this.#close()
  }

  #close(): void {
    this.#parts.clear()
    this.#options.calls.delete(this.#id)
    cancelEndWhenCollected(this)
  }

  #startRoot(event: Fields): SpanPart {
    const { name = this.#operationId, kind, start } = this.#operation
    const attributes = attributesOf(
      this.#enriched('operation'),
      modelFields(name, this.provider, this.model),
      this.request,
      start(event, this.recorded),
    )
    const options = { name: `${name} ${this.model}`, kind, attributes, startTime: timeOf(event) }
    const recordsOutput = event.recordOutputs !== false
    return startPart(this.#options.tracer, options, { role: 'call', recordsOutput, id: this.#id })
  }

  #enriched(spanType: string) {
    const { runtimeContext } = this
    const about = { spanType, operationId: this.#operationId, runtimeContext }
    return attempt('read the context of a call', () => enrichSpan(about)) ?? {}
  }
}

function parametersOf(event: Fields, { parameters }: Operation): Fields {
  const fields: Record<string, unknown> = {}
  for (const [field, name] of parameters) fields[name] = event[field]
  return fields
}

/** The time of an event that is reported after the fact. */
function timeOf(event: Fields): Date | undefined {
  const timestamp = asNumber(event.timestamp)
  // A date, because OpenTelemetry takes small numbers for times since the process started.
  return timestamp === undefined ? undefined : new Date(timestamp)
}
