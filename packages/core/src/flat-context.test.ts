import { type Context, createContextKey, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { expect, it, vi } from 'vitest'
import { flatContext, withSpan } from './flat-context.ts'

const [A, B, C] = ['a', 'b', 'c'].map(createContextKey) as [symbol, symbol, symbol]
const valuesOf = (context: Context) => [A, B, C].map((key) => context.getValue(key))

it('a flat context holds the same values as any other context, and is immutable', () => {
  const changes: readonly ((context: Context) => Context)[] = [
    (context) => context.setValue(A, 1),
    (context) => context.setValue(B, 2),
    (context) => context.setValue(A, 3),
    (context) => context.deleteValue(B),
    (context) => context.setValue(C, undefined),
    (context) => context.deleteValue(A).setValue(B, 4),
  ]
  let usual = ROOT_CONTEXT.setValue(A, 0).setValue(C, 5)
  let flat = flatContext(usual)
  for (const change of changes) {
    const [former, before] = [flat, valuesOf(flat)]
    usual = change(usual)
    flat = change(flat)
    expect(valuesOf(flat)).toEqual(valuesOf(usual))
    expect(valuesOf(former)).toEqual(before)
  }
})

it('a flat context is created once, by any copy of the module', async () => {
  const context = flatContext(ROOT_CONTEXT).setValue(A, 1)
  expect(context.constructor).not.toBe(ROOT_CONTEXT.constructor)
  vi.resetModules()
  const copy = await import('./flat-context.ts')
  expect(copy.flatContext(context)).toBe(context)
})

it('a flat context returns the span that was set on it', () => {
  const span = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 })
  const context = withSpan(ROOT_CONTEXT, span)
  expect(trace.getSpan(context)).toBe(span)
  expect(withSpan(context, span)).toBe(context)
})

it('a flat context gets a value together with its span, by any copy of the module', async () => {
  const span = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 })
  const before = flatContext(ROOT_CONTEXT).setValue(A, 1).setValue(B, 2)
  vi.resetModules()
  const copy = await import('./flat-context.ts')
  for (const within of [withSpan, copy.withSpan].map((set) => set(before, span, A, 3))) {
    expect([trace.getSpan(within), ...valuesOf(within)]).toEqual([span, 3, 2, undefined])
    expect(withSpan(within, span, A, 4).getValue(A)).toBe(4)
  }
  expect(valuesOf(before)).toEqual([1, 2, undefined])
})

it('a flat context shows nothing of itself to what prints or copies a timer', () => {
  expect(Reflect.ownKeys(flatContext(ROOT_CONTEXT).setValue(A, 1))).toEqual([])
})
