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
import { own } from '@svc/core/own'
import { parseJson } from '../gen-ai/parts.ts'
import { asArray, asRecord } from '../gen-ai/read.ts'
import { answersIn } from './approvals.ts'
import { boundedAttributes } from './bounded-attributes.ts'
import { OpenSpan, openSpanOf } from './open-span.ts'
import type { Role } from './span-role.ts'
import type { AttributeDialect } from './streamed-output.ts'

/** Roles of spans, by their operation. */
const ROLES: Readonly<Record<string, Role>> = {
  agent_step: 'step',
  chat: 'model',
  embeddings: 'model',
  rerank: 'model',
  execute_tool: 'tool',
  'ai.toolCall': 'tool',
}

export interface TrackedOptions {
  /** The attributes that its spans have. */
  readonly dialect: AttributeDialect
  /** Whether the output of the model is recorded. Default true. */
  readonly recordsOutput?: boolean
}

/**
 * Wraps a tracer so that its spans end however the call does. The callback of `startActiveSpan` gets a proxy of the span,
 * which nothing else holds: once it is collected, the SDK cannot end the span any more, and it ends.
 */
export function tracked(tracer: Tracer, { dialect, recordsOutput }: TrackedOptions): Tracer {
  const startSpan = (name: string, options: SpanOptions = {}, parent: Context = context.active()): Span => {
    const { attributes = {}, ...others } = options
    const kept = { ...boundedAttributes(attributes), ...resumedBy(attributes['ai.prompt']) }
    const span = tracer.startSpan(name, { ...others, attributes: kept }, parent)
    if (!span.isRecording() || openSpanOf(span)) return span
    const around = openSpanOf(trace.getSpan(parent))
    // Spans of another copy of this module are not ours.
    const above = around instanceof OpenSpan ? around : undefined
    new OpenSpan(span, { role: roleOf(name, attributes), dialect, above, recordsOutput, watched: true })
    return span
  }
  const startActiveSpan = (name: string, ...rest: readonly unknown[]): unknown => {
    const work = rest.at(-1) as (span: Span) => unknown
    const [options, parent = context.active()] = rest.slice(0, -1) as [SpanOptions?, Context?]
    const span = startSpan(name, options, parent)
    return context.with(trace.setSpan(parent, span), work, undefined, proxyOf(span))
  }
  return { startSpan, startActiveSpan: startActiveSpan as Tracer['startActiveSpan'] }
}

/** What a call of version 6 goes on from. Few prompts have an answer of a person, and are parsed. */
function resumedBy(prompt: unknown): Attributes {
  const isAnswer = typeof prompt === 'string' && prompt.includes('"tool-approval-response"')
  return isAnswer ? answersIn(asArray(asRecord(parseJson(prompt)).messages)) : {}
}

function roleOf(name: string, attributes: Attributes): Role {
  if (/\.do[A-Z]\w+$/.test(name)) return 'model'
  const operation = attributes[GEN_AI.OPERATION_NAME] ?? attributes['ai.operationId']
  return own(ROLES, String(operation)) ?? 'call'
}

function proxyOf(span: Span): Span {
  const open = openSpanOf(span)
  if (!open) return span
  const proxy: Span = new Proxy(span, PROXY)
  endWhenCollected(proxy, open)
  return proxy
}

const PROXY: ProxyHandler<Span> = {
  get(span, name, proxy) {
    const member: unknown = Reflect.get(span, name, span)
    if (typeof member !== 'function') return member
    return (...values: unknown[]) => {
      const result: unknown = Reflect.apply(member, span, values)
      return result === span ? proxy : result
    }
  },
}
