import { type Attributes, ROOT_CONTEXT } from '@opentelemetry/api'
import { type DeferredAttributes, NONE, withDeferredAttributes, withPropagatedAttributes } from '@svc/core/context'
import { describe, expect, it } from 'vitest'
import { exporting } from '../test/support/tracing.ts'

/** A request of which `first` is known, until `settle` is called or for ever. */
function request(first = NONE, settles = false) {
  let known = first
  let settle = () => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  let waits = settles
  const deferred: DeferredAttributes = { read: () => known, pending: () => (waits ? settled : undefined) }
  const learn = (more: Attributes) => {
    known = { ...known, ...more }
    waits = false
    settle()
  }
  return { context: withDeferredAttributes(ROOT_CONTEXT, deferred), learn }
}

describe('deferred attributes', () => {
  it('retain nothing of the request on an ended span that is queued', () => {
    const { tracer } = exporting()
    const span = tracer().startSpan('guard', {}, request().context)
    const held = () => Object.getOwnPropertySymbols(span).filter((key) => Reflect.get(span, key) !== undefined)
    expect(held()).toHaveLength(1)
    span.end()
    expect(held()).toEqual([])
  })

  it('reach a span that started before', async () => {
    const { tracer, exported } = exporting()
    const { context, learn } = request()
    const span = tracer().startSpan('guard', {}, context)
    learn({ 'user.id': 'ada' })
    span.end()
    expect((await exported())[0]?.attributes).toMatchObject({ 'user.id': 'ada' })
  })

  it("replace values stamped at the start, and not the span's own", async () => {
    const { tracer, exported } = exporting({ environment: 'live' })
    const { context, learn } = request({ 'user.id': 'nobody', 'session.id': 's1', 'svc.trace.tags': ['a'] })
    const span = tracer().startSpan('guard', {}, context)
    span.setAttribute('session.id', 'mine')
    learn({ 'user.id': 'ada', 'session.id': 's2', 'svc.trace.tags': ['a', 'b'], 'svc.environment': 'beta' })
    span.end()
    expect((await exported())[0]?.attributes).toMatchObject({
      'user.id': 'ada',
      'session.id': 'mine',
      'svc.trace.tags': ['a', 'b'],
      'svc.environment': 'beta',
    })
  })

  it('yield to values that were propagated further inside', async () => {
    const { tracer, exported } = exporting()
    const { context, learn } = request()
    const span = tracer().startSpan('inner', {}, withPropagatedAttributes(context, { 'user.id': 'inner' }))
    learn({ 'user.id': 'outer' })
    span.end()
    expect((await exported())[0]?.attributes).toMatchObject({ 'user.id': 'inner' })
  })

  it('are awaited by a span that has ended', async () => {
    const { tracer, exported } = exporting()
    const { context, learn } = request({}, true)
    tracer().startSpan('guard', {}, context).end()
    const spans = exported()
    learn({ 'user.id': 'ada' })
    expect((await spans)[0]?.attributes).toMatchObject({ 'user.id': 'ada' })
  })

  it('do not mix with the prompt of the span', async () => {
    const { tracer, exported } = exporting()
    const { context, learn } = request()
    const own = { 'svc.observation.prompt.name': 'mine' }
    const span = tracer().startSpan('generation', { attributes: own }, context)
    learn({ 'svc.observation.prompt.name': 'late', 'svc.observation.prompt.version': 3 })
    span.end()
    const attributes = (await exported())[0]?.attributes
    expect(attributes).toMatchObject(own)
    expect(attributes).not.toHaveProperty('svc.observation.prompt.version')
  })
})
