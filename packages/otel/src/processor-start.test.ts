import { type Context, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { claimTrace, withPropagatedAttributes } from '@svc/core/context'
import { environmentOf } from '@svc/core/environment'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { exporting, isRoot, under } from '../test/support/tracing.ts'

catchLog()

const claimed = (traceId: string, base: Context = ROOT_CONTEXT) =>
  propagation.setBaggage(base, propagation.createBaggage({ svc_trace_id: { value: traceId } }))

describe('a span that starts', () => {
  it('has environment and release', async () => {
    const { tracer, exported } = exporting({ environment: 'test', release: 'r1' })
    tracer().startSpan('s').end()
    expect((await exported())[0]?.attributes).toMatchObject({ 'svc.environment': 'test', 'svc.release': 'r1' })
  })

  it('has the option over the environment variable', async () => {
    const env = environmentOf({ SVC_TRACING_ENVIRONMENT: 'from-env', SVC_RELEASE: 'r-env' })
    const { tracer, exported } = exporting({ env, environment: 'from-option' })
    tracer().startSpan('s').end()
    expect((await exported())[0]?.attributes).toMatchObject({
      'svc.environment': 'from-option',
      'svc.release': 'r-env',
    })
  })

  it('has propagated values over defaults, and its own attributes over both', async () => {
    const { tracer, exported } = exporting({ environment: 'default' })
    const context = withPropagatedAttributes(ROOT_CONTEXT, { 'svc.environment': 'propagated', 'user.id': 'u1' })
    tracer().startSpan('propagated', {}, context).end()
    tracer().startSpan('own', {}, context).setAttribute('svc.environment', 'own').end()
    const environments = (await exported()).map(({ attributes }) => attributes['svc.environment'])
    expect(environments).toEqual(['propagated', 'own'])
    expect((await exported())[0]?.attributes['user.id']).toBe('u1')
  })

  it('keeps an environment that it is created with', async () => {
    const { tracer, exported } = exporting({ environment: 'default' })
    tracer()
      .startSpan('s', { attributes: { 'svc.environment': 'own' } })
      .end()
    expect((await exported())[0]?.attributes['svc.environment']).toBe('own')
  })

  it('keeps a prompt that it is created with over a propagated one', async () => {
    const { tracer, exported } = exporting()
    const context = withPropagatedAttributes(ROOT_CONTEXT, {
      'svc.observation.prompt.name': 'outer',
      'svc.observation.prompt.version': 3,
    })
    tracer()
      .startSpan('own', { attributes: { 'svc.observation.prompt.name': 'inner' } }, context)
      .end()
    tracer().startSpan('propagated', {}, context).end()
    const [own, propagated] = await exported()
    expect(own?.attributes).toMatchObject({ 'svc.observation.prompt.name': 'inner' })
    expect(own?.attributes).not.toHaveProperty('svc.observation.prompt.version')
    expect(propagated?.attributes).toMatchObject({
      'svc.observation.prompt.name': 'outer',
      'svc.observation.prompt.version': 3,
    })
  })
})

describe('baggage that is not trusted', () => {
  const theirs = propagation.setBaggage(
    ROOT_CONTEXT,
    propagation.createBaggage({ svc_user_id: { value: 'theirs' }, svc_trace_name: { value: 'theirs' } }),
  )

  it('is not written on spans, unlike values of this process', async () => {
    const { tracer, exported } = exporting({ env: environmentOf({ SVC_TRUST_BAGGAGE: 'false' }) })
    tracer()
      .startSpan('s', {}, withPropagatedAttributes(theirs, { 'user.id': 'ours' }))
      .end()
    const [span] = await exported()
    expect(span?.attributes['user.id']).toBe('ours')
    expect(span?.attributes).not.toHaveProperty('svc.trace.name')
  })

  it('claims no app root; an ancestor in this process does', () => {
    const { tracer } = exporting({ trustBaggage: false })
    const parent = tracer('http').startSpan('filtered')
    const { traceId } = parent.spanContext()
    expect(isRoot(tracer().startSpan('s', {}, claimed(traceId, under(parent))))).toBe(true)
    expect(isRoot(tracer().startSpan('s', {}, claimTrace(under(parent), traceId)))).toBeUndefined()
  })
})

describe('the app-root mark (contract 1.6)', () => {
  it('is set on an exported span without parent, and not on its exported child', () => {
    const { tracer } = exporting()
    const parent = tracer().startSpan('parent')
    const child = tracer().startSpan('child', {}, under(parent))
    expect([isRoot(parent), isRoot(child)]).toEqual([true, undefined])
  })

  it('is set on all exported children of a filtered parent, whatever is above it', () => {
    const { tracer } = exporting()
    const top = tracer().startSpan('top')
    const filtered = tracer('my-http').startSpan('filtered', {}, under(top))
    const children = ['a', 'b'].map((name) => tracer().startSpan(name, {}, under(filtered)))
    expect(isRoot(filtered)).toBeUndefined()
    expect(children.map(isRoot)).toEqual([true, true])
  })

  it('is set on a child that starts after its parent ended', () => {
    const { tracer } = exporting()
    const parent = tracer().startSpan('parent')
    parent.end()
    expect(isRoot(tracer().startSpan('late', {}, under(parent)))).toBe(true)
  })

  it('is set on a span with a remote parent', () => {
    const { tracer } = exporting()
    const sender = tracer().startSpan('sender')
    const received = { ...sender.spanContext(), isRemote: true }
    const carrier = { ...sender, spanContext: () => received } as unknown as typeof sender
    expect(isRoot(tracer().startSpan('receiver', {}, under(carrier)))).toBe(true)
  })

  it('is not set if an ancestor claimed the trace in the baggage, in any case of the id', () => {
    const { tracer } = exporting()
    const filtered = tracer('my-http').startSpan('filtered')
    const { traceId } = filtered.spanContext()
    const start = (id: string) => tracer().startSpan('s', {}, under(filtered, claimed(id)))
    expect(isRoot(start(traceId.toUpperCase()))).toBeUndefined()
    expect(isRoot(start('f'.repeat(32)))).toBe(true)
  })

  it('is decided by the attributes at the start, and stays if the end decides otherwise', async () => {
    let filteredNames = 0
    const { tracer, exported } = exporting({ shouldExportSpan: () => filteredNames++ === 0 })
    const span = tracer('x').startSpan('s')
    span.end()
    expect(isRoot(span)).toBe(true)
    expect(await exported()).toEqual([])
  })
})
