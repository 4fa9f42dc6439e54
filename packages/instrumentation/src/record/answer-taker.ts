import {
  type AttributeValue,
  type Context,
  createContextKey,
  INVALID_SPAN_CONTEXT,
  type Span,
  type Tracer,
  trace,
} from '@opentelemetry/api'

/**
 * A framework makes of an answer what its own types have place for. The client that it calls sees all of it: it has no
 * span there, but says what it read to that of the framework. Called with each attribute that the client writes.
 */
export type AnswerTaker = (name: string, value: AttributeValue) => void

const TAKER = createContextKey('svc.llm.answer-taker')

/** @param find returns who takes the answer of the call in this context; called when the client is */
export function withAnswerTaker(context: Context, find: () => AnswerTaker | undefined): Context {
  return context.setValue(TAKER, find)
}

/** Returns a tracer whose spans are not recorded, but say what was answered; undefined if nobody takes it. */
export function answeringTracer(context: Context): Pick<Tracer, 'startSpan'> | undefined {
  const find = context.getValue(TAKER) as (() => AnswerTaker | undefined) | undefined
  const taker = find?.()
  return taker && { startSpan: (_name, _options, parent = context) => answeringSpan(parent, taker) }
}

/** What is below it is below the span of the framework. */
function answeringSpan(parent: Context, taker: AnswerTaker): Span {
  const span = trace.wrapSpanContext(trace.getSpanContext(parent) ?? INVALID_SPAN_CONTEXT)
  const setAttribute = (name: string, value: AttributeValue) => {
    taker(name, value)
    return span
  }
  return Object.assign(span, { isRecording: () => true, setAttribute })
}
