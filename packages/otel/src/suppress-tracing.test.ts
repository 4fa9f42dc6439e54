import { context, trace } from '@opentelemetry/api'
import { isTracingSuppressed } from '@opentelemetry/core'
import { withTracingSuppressed } from '@svc/core/suppress-tracing'
import { expect, it } from 'vitest'
import { exporting, under, withContextManager } from '../test/support/tracing.ts'

withContextManager()

it('code in withTracingSuppressed creates no spans and belongs to no trace', async () => {
  const { tracer } = exporting()
  const request = tracer().startSpan('request')
  await context.with(under(request), () =>
    withTracingSuppressed(async () => {
      await Promise.resolve()
      expect(isTracingSuppressed(context.active())).toBe(true)
      expect(trace.getActiveSpan()).toBeUndefined()
      expect(tracer().startSpan('inner').isRecording()).toBe(false)
    }),
  )
  expect(isTracingSuppressed(context.active())).toBe(false)
})
