import {
  context,
  createContextKey,
  ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { API_SLOT, apiGlobal } from '@svc/core/api-global'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FlatContextManager } from './flat-context-manager.ts'
import { shareApi } from './shared-api.ts'

const KEY = createContextKey('key')
const provider: TracerProvider = { getTracer: () => trace.getTracer('ours') }
const propagator = (...fields: string[]) => ({ inject() {}, extract: () => ROOT_CONTEXT, fields: () => fields })
let joined: TracerProvider[]
let contexts: FlatContextManager
let leave: () => void

beforeEach(() => {
  joined = []
  contexts = new FlatContextManager().enable()
  leave = shareApi({
    provider,
    contexts,
    shown: contexts,
    propagator: propagator('ours'),
    join: (theirs) => joined.push(theirs),
  })
})
afterEach(() => {
  leave()
  Reflect.deleteProperty(globalThis, API_SLOT)
})

const delegate = () => (trace.getTracerProvider() as unknown as { getDelegate(): TracerProvider }).getDelegate()

it('what the application registers takes the place of ours, once', () => {
  expect([delegate(), propagation.fields()]).toEqual([provider, ['ours']])
  const theirs: TracerProvider = { getTracer: () => trace.getTracer('theirs') }
  expect([trace.setGlobalTracerProvider(theirs), propagation.setGlobalPropagator(propagator('theirs'))]).toEqual([
    true,
    true,
  ])
  expect([delegate(), propagation.fields(), joined]).toEqual([theirs, ['theirs'], [theirs]])
  expect([trace.setGlobalTracerProvider(provider), propagation.setGlobalPropagator(propagator())]).toEqual([
    false,
    false,
  ])
})

it('a proxy that it registers is joined as soon as that has a provider', () => {
  const [later, theirs] = [new ProxyTracerProvider(), { getTracer: () => trace.getTracer('theirs') }]
  trace.setGlobalTracerProvider(later)
  expect(joined).toEqual([])
  later.setDelegate(theirs)
  expect(joined).toEqual([theirs])
})

it('what it removes can be registered again, and stays when we leave', () => {
  const theirs: TracerProvider = { getTracer: () => trace.getTracer('theirs') }
  trace.setGlobalTracerProvider(theirs)
  trace.disable()
  expect(trace.setGlobalTracerProvider(theirs)).toBe(true)
  expect([delegate(), joined]).toEqual([theirs, [theirs, theirs]])
  leave()
  expect([delegate(), apiGlobal()?.context]).toEqual([theirs, undefined])
})

it('leaves nothing where nothing was registered', () => {
  leave()
  expect(apiGlobal()).toBeUndefined()
})

it("contexts are kept by the application's manager, and requests that were entered are active until it has another", () => {
  const theirs = new AsyncLocalStorageContextManager().enable()
  const [request, inner] = ['request', 'inner'].map((value) => ROOT_CONTEXT.setValue(KEY, value)) as [never, never]
  const value = () => context.active().getValue(KEY)
  expect(context.setGlobalContextManager(theirs)).toBe(true)
  expect(value()).toBeUndefined()
  const seen = context.with(ROOT_CONTEXT, () => {
    contexts.enter(request)
    const before = value()
    const within = context.with(inner, () => [value(), theirs.active() === inner])
    return [before, ...within, context.with(ROOT_CONTEXT, value), theirs.with(inner, value), value()]
  })
  expect(seen).toEqual(['request', 'inner', true, undefined, 'inner', 'request'])
  expect(value()).toBeUndefined()
})
