import {
  type Attributes,
  type Context,
  context,
  type Span,
  type SpanKind,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { withSpan } from '@svc/core/flat-context'
import { withAnswerTaker } from '../record/answer-taker.ts'
import { suppressCalls } from '../record/suppress.ts'
import { boundedAttributes } from './bounded-attributes.ts'
import { OpenSpan, openSpanOf } from './open-span.ts'
import type { OpenSpanOptions } from './span-role.ts'

/** One span of a call: the whole call, a step, a request to a model, a tool. */
export interface SpanPart {
  /** Undefined if the span is not recorded. */
  readonly open: OpenSpan | undefined
  /** What runs inside of it. */
  readonly context: Context
}

export interface PartOptions {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes: Attributes
  /** Default now. */
  readonly startTime: Date | undefined
}

export type Tracking = Pick<OpenSpanOptions, 'role' | 'recordsOutput' | 'id'>

/** @param above default: the part whose span is active, as in a tool that calls a model */
export function startPart(tracer: Tracer, options: PartOptions, tracking: Tracking, above?: SpanPart): SpanPart {
  const { name, kind, startTime } = options
  const around = above?.context ?? context.active()
  const attributes = boundedAttributes(options.attributes)
  const span = tracer.startSpan(name, { kind, attributes, ...(startTime && { startTime }) }, around)
  const open = span.isRecording() ? openSpan(span, tracking, above ? above.open : openSpanIn(around)) : undefined
  return { open, context: withSpan(around, span) }
}

function openSpan(span: Span, tracking: Tracking, above: OpenSpan | undefined): OpenSpan {
  return new OpenSpan(span, { dialect: 'gen_ai', above, ...tracking })
}

function openSpanIn(around: Context): OpenSpan | undefined {
  const open = openSpanOf(trace.getSpan(around))
  // Spans of another copy of this module are not ours.
  return open instanceof OpenSpan ? open : undefined
}

/** Returns the context of a request to a model, in which its client makes no second span. */
export function modelContext(part: SpanPart | undefined): Context {
  return belowModel(part?.context ?? context.active(), part?.open)
}

/** Returns the same for a request whose span gets what the answer says. */
export function belowModel(active: Context, model: OpenSpan | undefined): Context {
  const suppressed = suppressCalls(active)
  return model ? withAnswerTaker(suppressed, () => model.answers) : suppressed
}
