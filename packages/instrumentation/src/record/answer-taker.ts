import {
  type AttributeValue,
  type Context,
  createContextKey,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanStatus,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'

/**
 * A framework makes of an answer what its own types have place for. The client that it calls sees all of it: it has no
 * span there, but says what it read to that of the framework. Where the framework sends the request itself, the request
 * says it.
 */
export interface AnswerTaker {
  /**
   * Called with each attribute that is read of an answer.
   *
   * @param answer the one that the attribute belongs to: a library may ask several times
   */
  take(name: string, value: AttributeValue, answer: object): void
  /** Called with each request that is sent, whose answer is read when it has arrived. Default: none is read. */
  follow?(request: OpenRequest): void
}

/** A request whose answer is arriving. */
export interface OpenRequest {
  /** Reads what has arrived so far, unless it was read before. */
  end(): void
}

const TAKER = createContextKey('svc.llm.answer-taker')

/** @param find returns who takes the answer of the call in this context; called when the client is */
export function withAnswerTaker(context: Context, find: () => AnswerTaker | undefined): Context {
  return context.setValue(TAKER, find)
}

/** Returns who takes the answer of a call in this context, if anybody does. */
export function answerTaker(context: Context): AnswerTaker | undefined {
  const find = context.getValue(TAKER) as (() => AnswerTaker | undefined) | undefined
  return find?.()
}

/** Returns a tracer whose spans are not recorded, but say what was answered; undefined if nobody takes it. */
export function answeringTracer(context: Context): Pick<Tracer, 'startSpan'> | undefined {
  const taker = answerTaker(context)
  return taker && { startSpan: (_name, _options, parent = context) => answeringSpan(parent, taker) }
}

/** What is below it is below the span of the framework. */
function answeringSpan(parent: Context, taker: AnswerTaker): Span {
  const span = trace.wrapSpanContext(trace.getSpanContext(parent) ?? INVALID_SPAN_CONTEXT)
  const setAttribute = (name: string, value: AttributeValue) => {
    taker.take(name, value, span)
    return span
  }
  const setStatus = ({ code, message }: SpanStatus) => {
    if (code === SpanStatusCode.ERROR) setAttribute(ATTRIBUTE.OBSERVATION_LEVEL, 'ERROR')
    return message === undefined ? span : setAttribute(ATTRIBUTE.OBSERVATION_STATUS_MESSAGE, message)
  }
  return Object.assign(span, { isRecording: () => true, setAttribute, setStatus })
}
