import { ROOT_CONTEXT, type Span } from '@opentelemetry/api'
import { type DeferredAttributes, withDeferredAttributes } from '@svc/core/context'
import { flushExitHandlers } from '@svc/core/exit'
import { describe, expect, it } from 'vitest'
import { tracing, under } from '../test/support/tracing.ts'
import type { SvcSpanProcessorParams } from './index.ts'

/** A processor that names the spans that it hands on. */
function waiting(params: SvcSpanProcessorParams = {}) {
  const delivered: string[] = []
  const parts = tracing({ ...params, onDelivered: ({ name }) => delivered.push(name) })
  const start = (name: string, context = ROOT_CONTEXT) =>
    Object.assign(parts.tracer().startSpan(name, {}, context), { heldCharacters: 1 })
  return { ...parts, delivered, start }
}

const isAppRoot = (span: Span) => Reflect.get(span, 'attributes')['svc.internal.is_app_root']

describe('an ended span with a known size', () => {
  it.each([
    ['forceFlush() is called', (processor) => void processor.forceFlush()],
    ['the runtime flushes all that waits for the end of the process', () => void flushExitHandlers()],
    ['the processor is stopped', (processor) => void processor.shutdown()],
    ['health() is called', (processor) => void processor.health()],
    ['options come later', (processor) => processor.attach({ release: 'r2' })],
  ] satisfies [string, (processor: ReturnType<typeof waiting>['processor']) => void][])(
    'waits for others until %s',
    (_, act) => {
      const { processor, delivered, start } = waiting()
      start('a').end()
      start('b').end()
      expect(delivered).toEqual([])
      act(processor)
      expect(delivered).toEqual(['a', 'b'])
    },
  )

  it('is processed before a later one that does not wait', () => {
    const { tracer, delivered, start } = waiting()
    start('a').end()
    tracer().startSpan('b').end()
    expect(delivered).toEqual(['a', 'b'])
  })

  it.each([
    ['a mask', { mask: ({ data }) => data }],
    ['a filter', { shouldExportSpan: () => true }],
    ['an exporter', { exporter: { export: () => {}, shutdown: async () => {} } }],
    ['immediate exports', { exportMode: 'immediate' }],
    ['a spool that has every span', { spool: 'always' }],
  ] satisfies [string, SvcSpanProcessorParams][])('does not wait with %s', (_, params) => {
    const { delivered, start } = waiting(params)
    start('a').end()
    expect(delivered).toEqual(['a'])
  })

  it.each([{ mask: ({ data }: { data: unknown }) => data }, { shouldExportSpan: () => true }])(
    'does not wait once %o was attached',
    (options) => {
      const { processor, delivered, start } = waiting()
      processor.attach(options)
      start('a').end()
      expect(delivered).toEqual(['a'])
    },
  )

  it('does not wait for others if its user is still being resolved', async () => {
    const { processor, delivered, start } = waiting()
    const deferred: DeferredAttributes = { read: () => ({}), pending: () => Promise.resolve() }
    start('other').end()
    start('late', withDeferredAttributes(ROOT_CONTEXT, deferred)).end()
    expect(delivered).toEqual(['other'])
    await processor.forceFlush()
    expect(delivered).toEqual(['other', 'late'])
  })

  it('does not count as an open parent while it waits', () => {
    const { start } = waiting()
    const parent = start('parent')
    parent.end()
    expect(isAppRoot(start('child', under(parent)))).toBe(true)
  })

  it('sets input and output of its root in the order of ends', () => {
    const shown: unknown[] = []
    const { processor, tracer } = tracing({
      onDelivered: ({ name, attributes }) => shown.push([name, attributes['svc.observation.output']]),
    })
    const start = (name: string, attributes = {}, context = ROOT_CONTEXT) =>
      Object.assign(tracer().startSpan(name, { attributes }, context), { heldCharacters: 1 })
    const root = start('root')
    for (const answer of ['one', 'two']) {
      const call = { 'svc.observation.type': 'generation', 'svc.observation.output': answer }
      start('call', call, under(root)).end()
    }
    root.end()
    processor.health()
    expect(shown).toEqual([
      ['call', 'one'],
      ['call', 'two'],
      ['root', 'two'],
    ])
  })
})
