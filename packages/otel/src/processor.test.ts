import { describe, expect, it } from 'vitest'
import { startIntake } from '../test/support/intake.ts'
import { KEYS, tracing } from '../test/support/tracing.ts'

describe('SvcSpanProcessor', () => {
  it('delivers what passes the filter, with environment and release, before a flush resolves', async () => {
    await using intake = await startIntake()
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, environment: 'test', release: 'r1' })
    tracer('svc-sdk').startSpan('kept').end()
    tracer('my-tracer').startSpan('dropped').end()
    await processor.forceFlush()
    expect(intake.spans).toMatchObject([
      { name: 'kept', scope: 'svc-sdk', attributes: { 'svc.environment': 'test', 'svc.release': 'r1' } },
    ])
    await processor.shutdown()
  })
})
