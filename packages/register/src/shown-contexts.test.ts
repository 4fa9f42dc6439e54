import { type Context, context, createContextKey, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import { behind } from '@svc/core/shown'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FlatContextManager } from './flat-context-manager.ts'
import { ShownContext, ShownContexts } from './shown-contexts.ts'

const KEY = createContextKey('key')
const [theirs, ours, inner] = ['a', 'b', 'c'].map((digit) =>
  trace.wrapSpanContext({ traceId: digit.repeat(32), spanId: digit.repeat(16), traceFlags: 1 }),
) as [Span, Span, Span]
const shown = (given: Context) => (trace.getSpan(given) === ours ? new ShownContext(given, theirs) : given)

let contexts: FlatContextManager
beforeEach(() => {
  contexts = new FlatContextManager().enable()
  context.setGlobalContextManager(new ShownContexts(contexts, shown))
})
afterEach(() => context.disable())

/** What the application sees, and what is behind it. */
const active = () => [trace.getActiveSpan(), trace.getSpan(contexts.active())]

it('the application sees its own span around ours, also in what it derives and binds', () => {
  const call = trace.setSpan(ROOT_CONTEXT, ours)
  expect(context.with(call, active)).toEqual([theirs, ours])
  const seen = context.with(call, () => {
    const derived = context.active().setValue(KEY, 1)
    expect([derived.getValue(KEY), derived.deleteValue(KEY).getValue(KEY)]).toEqual([1, undefined])
    return [context.with(derived, active), context.bind(derived, active)(), behind(derived) === derived]
  })
  expect(seen).toEqual([[theirs, ours], [theirs, ours], false])
})

it('a span that the application enters takes the place of ours; its own does not', () => {
  const call = trace.setSpan(ROOT_CONTEXT, ours)
  const within = (span: Span) => context.with(trace.setSpan(context.active(), span), active)
  expect(context.with(call, () => [within(inner), within(theirs)])).toEqual([
    [inner, inner],
    [theirs, ours],
  ])
  expect(context.with(call, () => context.with(trace.deleteSpan(context.active()), active))).toEqual([
    undefined,
    undefined,
  ])
})
