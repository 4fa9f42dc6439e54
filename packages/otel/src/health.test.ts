import { describe, expect, it } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { expectToAddUp } from '../test/support/health.ts'
import { ok, startIntake } from '../test/support/intake.ts'
import { exporting, KEYS, tracing } from '../test/support/tracing.ts'

catchLog()

describe('the health of delivery', () => {
  it('has the pending spans and the time of the last success', async () => {
    await using intake = await startIntake(ok)
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url })
    expect(processor.health()).toEqual({
      state: 'ok',
      ended: 0,
      sent: 0,
      pending: 0,
      dropped: {},
      pendingBytes: 0,
      lastSuccess: undefined,
      lastFailure: undefined,
    })
    const before = Date.now()
    tracer().startSpan('s').end()
    expect(processor.health()).toMatchObject({ ended: 1, sent: 0, pending: 1 })
    expect(processor.health().pendingBytes).toBeGreaterThan(0)
    await processor.forceFlush()
    const { lastSuccess, lastFailure, ...rest } = processor.health()
    expect(rest).toEqual({ state: 'ok', ended: 1, sent: 1, pending: 0, dropped: {}, pendingBytes: 0 })
    expect(lastSuccess).toBeGreaterThanOrEqual(before)
    expect(lastFailure).toBeUndefined()
    await processor.shutdown()
    expectToAddUp(processor.health())
  })

  it('has the reason of the last failure', async () => {
    await using intake = await startIntake((response) => response.writeHead(401).end())
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url })
    tracer().startSpan('s').end()
    const before = Date.now()
    await processor.forceFlush()
    const { lastFailure } = processor.health()
    expect(processor.health()).toMatchObject({ state: 'refused', pending: 1, dropped: {}, lastSuccess: undefined })
    expect(lastFailure?.reason).toContain('refuses the keys (401')
    expect(lastFailure?.at).toBeGreaterThanOrEqual(before)
    await processor.shutdown()
    expect(processor.health()).toMatchObject({ pending: 0, pendingBytes: 0, dropped: { shutdown: 1 }, lastFailure })
    expectToAddUp(processor.health())
  })

  it.each(['batched', 'immediate'] as const)('is available for a custom exporter: %s', async (exportMode) => {
    const { processor, tracer, exported } = exporting({ exportMode })
    tracer().startSpan('s').end()
    expect(processor.health()).toMatchObject({ ended: 1, sent: 0, pending: 1 })
    await exported()
    expect(processor.health()).toMatchObject({
      state: 'ok',
      ended: 1,
      sent: 1,
      pending: 0,
      dropped: {},
      lastSuccess: expect.any(Number),
      lastFailure: undefined,
    })
  })

  it('has the reason of a failing custom exporter', async () => {
    const exporter = {
      export: (_: unknown, done: (result: { code: number; error?: Error }) => void) =>
        done({ code: 1, error: new Error('disk full') }),
      shutdown: async () => {},
    }
    const { processor, tracer } = tracing({ exporter, exportMode: 'immediate' })
    tracer().startSpan('s').end()
    await processor.forceFlush()
    expect(processor.health()).toMatchObject({
      ended: 1,
      pending: 0,
      dropped: { export_failed: 1 },
      lastFailure: { reason: 'disk full' },
    })
  })

  it('counts spans that wait for a mask', async () => {
    const { processor, tracer, exported } = exporting({ mask: async ({ data }) => data })
    tracer()
      .startSpan('s', { attributes: { 'svc.observation.input': 'x' } })
      .end()
    expect(processor.health()).toMatchObject({ ended: 1, sent: 0, pending: 1 })
    await exported()
    expect(processor.health()).toMatchObject({ ended: 1, sent: 1, pending: 0 })
  })

  it('counts a span that is lost because the filter throws, and not a filtered one', async () => {
    const shouldExportSpan = ({ otelSpan }: { otelSpan: { name: string } }) => {
      if (otelSpan.name === 'broken') throw new Error('no')
      return otelSpan.name === 'wanted'
    }
    const { processor, tracer, exported } = exporting({ shouldExportSpan })
    for (const name of ['broken', 'wanted', 'unwanted']) tracer().startSpan(name).end()
    await exported()
    expect(processor.health()).toMatchObject({ ended: 2, sent: 1, pending: 0, dropped: { not_prepared: 1 } })
    expectToAddUp(processor.health())
  })

  it('is off if nothing is sent', () => {
    const { processor, tracer } = tracing({ publicKey: 'pk' })
    tracer().startSpan('s').end()
    expect(processor.health()).toMatchObject({ state: 'off', pending: 0, pendingBytes: 0 })
    expectToAddUp(processor.health())
  })
})
