import { describe, expect, it } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { ok, startIntake } from '../test/support/intake.ts'
import { exporting, KEYS, tracing } from '../test/support/tracing.ts'

catchLog()

describe('the health of delivery', () => {
  it('knows what waits, and when something arrived', async () => {
    await using intake = await startIntake(ok)
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url })
    expect(processor.health()).toEqual({ queued: 0, lastSuccess: undefined, lastFailure: undefined })
    const before = Date.now()
    tracer().startSpan('s').end()
    expect(processor.health().queued).toBe(1)
    await processor.forceFlush()
    const { queued, lastSuccess, lastFailure } = processor.health()
    expect(queued).toBe(0)
    expect(lastSuccess).toBeGreaterThanOrEqual(before)
    expect(lastFailure).toBeUndefined()
    await processor.shutdown()
  })

  it('knows why something did not arrive', async () => {
    await using intake = await startIntake((response) => response.writeHead(401).end())
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url })
    tracer().startSpan('s').end()
    await processor.shutdown()
    const { queued, lastSuccess, lastFailure } = processor.health()
    expect({ queued, lastSuccess }).toEqual({ queued: 0, lastSuccess: undefined })
    expect(lastFailure?.reason).toContain('refuses the keys (401')
  })

  it.each(['batched', 'immediate'] as const)('is known of an exporter of the user, too: %s', async (exportMode) => {
    const { processor, tracer, exported } = exporting({ exportMode })
    tracer().startSpan('s').end()
    expect(processor.health().queued).toBe(1)
    await exported()
    expect(processor.health()).toMatchObject({ queued: 0, lastSuccess: expect.any(Number), lastFailure: undefined })
  })

  it('has the reason of an exporter of the user', async () => {
    const exporter = {
      export: (_: unknown, done: (result: { code: number; error?: Error }) => void) =>
        done({ code: 1, error: new Error('disk full') }),
      shutdown: async () => {},
    }
    const { processor, tracer } = tracing({ exporter, exportMode: 'immediate' })
    tracer().startSpan('s').end()
    await processor.forceFlush()
    expect(processor.health()).toMatchObject({ queued: 0, lastFailure: { reason: 'disk full' } })
  })

  it('counts what waits for a mask', async () => {
    const { processor, tracer, exported } = exporting({ mask: async ({ data }) => data })
    tracer()
      .startSpan('s', { attributes: { 'svc.observation.input': 'x' } })
      .end()
    expect(processor.health().queued).toBe(1)
    await exported()
    expect(processor.health().queued).toBe(0)
  })
})
