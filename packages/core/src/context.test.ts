import { type Attributes, type Baggage, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { describe, expect, it, vi } from 'vitest'
import {
  claimedTraceId,
  claimTrace,
  type DeferredAttributes,
  deferredAttributes,
  inheritPropagated,
  NONE,
  propagatedAttributes,
  withDeferredAttributes,
  withKnownAttributes,
  withPropagatedAttributes,
} from './context.ts'

const received = (values: Record<string, string>) => {
  const entries = Object.entries(values).map(([key, value]) => [key, { value }] as const)
  return propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage(Object.fromEntries(entries)))
}

describe('propagated attributes', () => {
  it('are empty in an empty context', () => {
    expect(propagatedAttributes(ROOT_CONTEXT)).toEqual({})
  })

  it('of an inner context win, and the outer context keeps its own', () => {
    const outer = withPropagatedAttributes(ROOT_CONTEXT, { 'user.id': 'outer', 'session.id': 's' })
    const inner = withPropagatedAttributes(outer, { 'user.id': 'inner' })
    expect(propagatedAttributes(inner)).toEqual({ 'user.id': 'inner', 'session.id': 's' })
    expect(propagatedAttributes(outer)).toEqual({ 'user.id': 'outer', 'session.id': 's' })
  })

  it('join tags without repetition', () => {
    const outer = withPropagatedAttributes(ROOT_CONTEXT, { 'svc.trace.tags': ['a', 'b'] })
    const inner = withPropagatedAttributes(outer, { 'svc.trace.tags': ['b', 'c'] })
    expect(propagatedAttributes(inner)['svc.trace.tags']).toEqual(['a', 'b', 'c'])
  })

  it('are inherited from the context of the start, after values that are already there', () => {
    const origin = withPropagatedAttributes(ROOT_CONTEXT, { 'user.id': 'u', 'svc.trace.tags': ['a'] })
    const here = withPropagatedAttributes(ROOT_CONTEXT, { 'user.id': 'v', 'svc.trace.tags': ['b'] })
    expect(propagatedAttributes(inheritPropagated(here, origin))).toEqual({
      'user.id': 'v',
      'svc.trace.tags': ['a', 'b'],
    })
    expect(propagatedAttributes(inheritPropagated(ROOT_CONTEXT, origin))).toEqual(propagatedAttributes(origin))
    expect(inheritPropagated(here, ROOT_CONTEXT)).toBe(here)
    expect(inheritPropagated(here, here.setValue(Symbol('other'), 1))).toBe(here)
  })

  it('are also read by another copy of the package', async () => {
    const { vi } = await import('vitest')
    vi.resetModules()
    const copy = await import('./context.ts')
    expect(copy.propagatedAttributes(withPropagatedAttributes(ROOT_CONTEXT, { 'user.id': 'u' }))).toEqual({
      'user.id': 'u',
    })
  })
})

describe('deferred attributes', () => {
  const deferred = (known: Attributes, pending?: Promise<void>): DeferredAttributes => ({
    read: vi.fn(() => known),
    pending: () => pending,
  })

  it('that are all known are read once, for all that starts inside', () => {
    const given = deferred({ 'user.id': 'late', 'session.id': 's' })
    const outer = withDeferredAttributes(withPropagatedAttributes(ROOT_CONTEXT, { 'user.id': 'own' }), given)
    const inner = withKnownAttributes(outer)
    expect(propagatedAttributes(inner)).toEqual({ 'user.id': 'own', 'session.id': 's' })
    expect(deferredAttributes(inner)).toBeUndefined()
    expect(given.read).toHaveBeenCalledOnce()
    expect(deferredAttributes(outer)).toBe(given)
  })

  it('may be none', () => {
    expect(propagatedAttributes(withKnownAttributes(withDeferredAttributes(ROOT_CONTEXT, deferred(NONE))))).toBe(NONE)
  })

  it('that are not known yet are read again', () => {
    const outer = withDeferredAttributes(ROOT_CONTEXT, deferred({}, Promise.resolve()))
    expect(withKnownAttributes(outer)).toBe(outer)
    expect(withKnownAttributes(ROOT_CONTEXT)).toBe(ROOT_CONTEXT)
  })
})

describe('values that arrive as baggage', () => {
  it('become the attributes of the table (contract 2.5)', () => {
    const context = received({
      svc_user_id: 'u',
      svc_session_id: 's',
      svc_version: 'v',
      svc_trace_name: 'n',
      svc_environment: 'staging',
      svc_tags: 'a,b',
      svc_metadata_tenant: '"acme"',
      svc_prompt_name: 'p',
      svc_prompt_version: '3',
      svc_experiment_id: 'e',
    })
    expect(propagatedAttributes(context)).toEqual({
      'user.id': 'u',
      'session.id': 's',
      'svc.version': 'v',
      'svc.trace.name': 'n',
      'svc.environment': 'staging',
      'svc.trace.tags': ['a', 'b'],
      'svc.trace.metadata.tenant': '"acme"',
      'svc.observation.prompt.name': 'p',
      'svc.observation.prompt.version': 3,
      'svc.experiment.id': 'e',
    })
  })

  it('yield to values of this process, except for tags', () => {
    const context = withPropagatedAttributes(received({ svc_user_id: 'theirs', svc_tags: 'a' }), {
      'user.id': 'ours',
      'svc.trace.tags': ['b'],
    })
    expect(propagatedAttributes(context)).toEqual({ 'user.id': 'ours', 'svc.trace.tags': ['a', 'b'] })
  })

  it.each<[what: string, values: Record<string, string>]>([
    ['too long', { svc_user_id: 'x'.repeat(201) }],
    ['too long metadata', { svc_metadata_x: 'x'.repeat(201) }],
    ['metadata without a key', { svc_metadata_: 'x' }],
    ['an environment that is none', { svc_environment: 'SVC prod' }],
    ['a prompt version that is no number', { svc_prompt_version: '3; drop' }],
    ['empty', { svc_user_id: '' }],
    ['an unknown key', { svc_unknown: 'x' }],
    ['a key of the prototype', { constructor: 'x', __proto__: 'x' }],
    ['a third-party key', { user_id: 'x' }],
    ['the trace id of the app root', { svc_trace_id: 'a'.repeat(32) }],
  ])('are dropped when they are %s', (_, values) => {
    expect(propagatedAttributes(received(values))).toEqual({})
  })

  it('are accepted with 200 characters', () => {
    expect(propagatedAttributes(received({ svc_user_id: 'x'.repeat(200) }))['user.id']).toHaveLength(200)
  })

  it('are checked tag by tag', () => {
    const tags = propagatedAttributes(received({ svc_tags: `a,,${'x'.repeat(201)},b` }))['svc.trace.tags']
    expect(tags).toEqual(['a', 'b'])
  })

  it('have at most 64 metadata keys', () => {
    const values = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`svc_metadata_${index}`, '1']))
    expect(Object.keys(propagatedAttributes(received(values)))).toHaveLength(64)
  })

  it('are ignored if baggage is not trusted, and values of this process are not', () => {
    const context = withPropagatedAttributes(received({ svc_user_id: 'theirs', svc_trace_name: 'theirs' }), {
      'user.id': 'ours',
    })
    expect(propagatedAttributes(context, { trustBaggage: false })).toEqual({ 'user.id': 'ours' })
  })
})

describe('an experiment', () => {
  it('decides the environment, also if its root is in another process', () => {
    const key = 'svc.experiment.item.root_observation_id'
    const own = withPropagatedAttributes(ROOT_CONTEXT, { [key]: 'o', 'svc.environment': 'staging' })
    expect(propagatedAttributes(own)['svc.environment']).toBe('sdk-experiment')
    const theirs = received({ svc_experiment_item_root_observation_id: 'o', svc_environment: 'staging' })
    expect(propagatedAttributes(theirs)['svc.environment']).toBe('sdk-experiment')
  })
})

describe('the trace id that an app root claims', () => {
  it('is known to descendants in this process and, as baggage, in others', () => {
    const context = claimTrace(received({ tenant: 't' }), 'abc')
    expect(claimedTraceId(context)).toBe('abc')
    expect(propagation.getBaggage(context)?.getAllEntries()).toEqual([
      ['tenant', { value: 't' }],
      ['svc_trace_id', { value: 'abc' }],
    ])
    expect(claimTrace(context, 'abc')).toBe(context)
    expect(claimedTraceId(claimTrace(context, 'def'))).toBe('def')
  })

  it('is used from this process if baggage is not trusted, and not from others', () => {
    const trust = { trustBaggage: false }
    expect(claimedTraceId(received({ svc_trace_id: 'abc' }), trust)).toBeUndefined()
    expect(claimedTraceId(claimTrace(ROOT_CONTEXT, 'abc'), trust)).toBe('abc')
  })

  it('is read in lower case', () => {
    expect(claimedTraceId(received({ svc_trace_id: 'ABC' }))).toBe('abc')
    expect(claimedTraceId(ROOT_CONTEXT)).toBeUndefined()
    expect(claimedTraceId(received({}))).toBeUndefined()
  })
})

describe('baggage objects of another library', () => {
  it('ignores values that are not strings, and reads the others', () => {
    const values = { svc_user_id: undefined, svc_tags: 3, svc_trace_id: 4, svc_metadata_a: null, svc_session_id: 's' }
    const context = received(values as unknown as Record<string, string>)
    expect(propagatedAttributes(context)).toEqual({ 'session.id': 's' })
    expect(claimedTraceId(context)).toBeUndefined()
  })

  it('ignores entries without a usable key', () => {
    const baggage: Baggage = propagation.createBaggage({ '': { value: 'x' }, svc_: { value: 'x' } })
    expect(propagatedAttributes(propagation.setBaggage(ROOT_CONTEXT, baggage))).toEqual({})
  })
})
