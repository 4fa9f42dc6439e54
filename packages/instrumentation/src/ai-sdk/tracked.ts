import {
  type Attributes,
  type Context,
  context,
  type Span,
  type SpanOptions,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { endWhenCollected } from '@svc/core/open-calls'
import { boundedAttributes } from './bounded-attributes.ts'
import { OpenSpan, openSpanOf } from './open-span.ts'
import type { Words } from './said.ts'
import type { Role } from './span-role.ts'

/** What spans tell of, by the operation they name. */
const ROLES: Readonly<Record<string, Role>> = {
  agent_step: 'step',
  chat: 'model',
  embeddings: 'model',
  rerank: 'model',
  execute_tool: 'tool',
  'ai.toolCall': 'tool',
}

export interface TrackedOptions {
  /** In whose words its spans tell. */
  readonly words: Words
  /** Whether a call that tells nothing else wants recorded what the model says. Default true. */
  readonly tellsOutput?: boolean
}

/**
 * The same tracer, whose spans end however the call does. What `startActiveSpan` runs gets a stand-in of the span, which
 * nothing else holds: once that is collected, nobody can end the span any more, and it ends.
 */
export function tracked(tracer: Tracer, { words, tellsOutput }: TrackedOptions): Tracer {
  const startSpan = (name: string, options: SpanOptions = {}, parent: Context = context.active()): Span => {
    const { attributes = {}, ...others } = options
    const span = tracer.startSpan(name, { ...others, attributes: boundedAttributes(attributes) }, parent)
    if (!span.isRecording() || openSpanOf(span)) return span
    const around = openSpanOf(trace.getSpan(parent))
    // One of another copy of this module is none of ours.
    const above = around instanceof OpenSpan ? around : undefined
    new OpenSpan(span, { role: roleOf(name, attributes), words, above, tellsOutput, watched: true })
    return span
  }
  const startActiveSpan = (name: string, ...rest: readonly unknown[]): unknown => {
    const work = rest.at(-1) as (span: Span) => unknown
    const [options, parent = context.active()] = rest.slice(0, -1) as [SpanOptions?, Context?]
    const span = startSpan(name, options, parent)
    return context.with(trace.setSpan(parent, span), work, undefined, standInOf(span))
  }
  return { startSpan, startActiveSpan: startActiveSpan as Tracer['startActiveSpan'] }
}

function roleOf(name: string, attributes: Attributes): Role {
  if (/\.do[A-Z]\w+$/.test(name)) return 'model'
  const operation = attributes[GEN_AI.OPERATION_NAME] ?? attributes['ai.operationId']
  return ROLES[String(operation)] ?? 'call'
}

function standInOf(span: Span): Span {
  const open = openSpanOf(span)
  if (!open) return span
  const standIn: Span = new Proxy(span, STANDING_IN)
  endWhenCollected(standIn, open)
  return standIn
}

const STANDING_IN: ProxyHandler<Span> = {
  get(span, name, standIn) {
    const member: unknown = Reflect.get(span, name, span)
    if (typeof member !== 'function') return member
    return (...values: unknown[]) => {
      const result: unknown = Reflect.apply(member, span, values)
      return result === span ? standIn : result
    }
  },
}
