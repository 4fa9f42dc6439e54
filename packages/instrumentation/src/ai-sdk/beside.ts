import {
  type Attributes,
  type Context,
  context,
  type Span,
  type SpanOptions,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { endWhenCollected } from '@svc/core/open-calls'
import type { BesideSpans, Runtime } from '@svc/core/registry'
import { openSpanOf } from './open-span.ts'
import { markHidden, type SpanMethods } from './watched-span.ts'

/** Returns the attributes of a span of ours for some that the SDK gives. */
type Adapt = (attributes: Attributes) => Attributes

/** What the SDK calls on its spans, and ours are told. */
const TOLD: Readonly<Record<keyof SpanMethods, true>> = {
  recordException: true,
  setStatus: true,
  setAttributes: true,
  addEvent: true,
  end: true,
}

/**
 * Wraps the application's tracer for a call that asks for its spans. They are what the SDK makes of them without us, and
 * are active. Beside each is one of ours, which hears what the SDK says: that one is changed, ended and sent.
 *
 * @param ours a tracer whose spans are watched
 */
export function beside(
  theirs: Tracer,
  ours: Tracer,
  adapt: Adapt,
  startBeside: NonNullable<Runtime['startBeside']>,
): Tracer {
  const start = (name: string, options: SpanOptions = {}, parent: Context): Pair => {
    const { attributes = {} } = options
    const spans = startBeside(
      parent,
      (around) => theirs.startSpan(name, options, around),
      (around) => ours.startSpan(name, { ...options, attributes: adapt(attributes) }, around),
    )
    const told = attempt('follow a span of the application', tellOurs, spans, new Set(Object.keys(attributes)), adapt)
    return { theirs: spans.theirs, told: told ?? spans.theirs }
  }
  const startActiveSpan = (name: string, ...rest: readonly unknown[]): unknown => {
    const work = rest.at(-1) as (span: Span) => unknown
    const [options, parent = context.active()] = rest.slice(0, -1) as [SpanOptions?, Context?]
    const pair = start(name, options, parent)
    return context.with(trace.setSpan(parent, pair.theirs), work, undefined, pair.told)
  }
  return {
    startSpan: (name, options, parent = context.active()) => start(name, options, parent).told,
    startActiveSpan: startActiveSpan as Tracer['startActiveSpan'],
  }
}

interface Pair {
  readonly theirs: Span
  /** What the SDK has of it. */
  readonly told: Span
}

/**
 * Returns a proxy of the application's span that tells ours. As nothing else holds it, ours ends when it is collected.
 *
 * @param given the names of attributes that the SDK has given. What the application has written is added at the end
 */
function tellOurs({ theirs, ours }: BesideSpans, given: Set<string>, adapt: Adapt): Span {
  const open = openSpanOf(ours)
  if (!ours || !open) return theirs
  markHidden(theirs, open)
  const tell = (name: keyof SpanMethods, values: unknown[]) => {
    if (name === 'end') ours.setAttributes(othersOf(theirs, given))
    if (name !== 'setAttributes') return Reflect.apply(ours[name], ours, values)
    const attributes = (values[0] ?? {}) as Attributes
    for (const key of Object.keys(attributes)) given.add(key)
    return ours.setAttributes(adapt(attributes))
  }
  const told: Span = new Proxy(theirs, {
    get(span, name) {
      const member: unknown = Reflect.get(span, name, span)
      if (typeof member !== 'function') return member
      return (...values: unknown[]) => {
        const result: unknown = Reflect.apply(member, span, values)
        if (Object.hasOwn(TOLD, name))
          attempt('follow a span of the application', tell, name as keyof SpanMethods, values)
        return result === span ? told : result
      }
    },
  })
  endWhenCollected(told, open)
  return told
}

function othersOf(span: Span & { readonly attributes?: Attributes }, given: ReadonlySet<string>): Attributes {
  return Object.fromEntries(Object.entries(span.attributes ?? {}).filter(([name]) => !given.has(name)))
}
