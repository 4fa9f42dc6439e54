import { context, trace } from '@opentelemetry/api'
import { isTracingSuppressed } from '@opentelemetry/core'
import { quietly } from '@svc/core/quietly'
import { expect, it } from 'vitest'
import { exporting, under, withContextManager } from '../test/support/tracing.ts'

withContextManager()

it('what runs quietly makes no spans and belongs to no trace', async () => {
  const { tracer } = exporting()
  const request = tracer().startSpan('request')
  await context.with(under(request), () =>
    quietly(async () => {
      await Promise.resolve()
      expect(isTracingSuppressed(context.active())).toBe(true)
      expect(trace.getActiveSpan()).toBeUndefined()
      expect(tracer().startSpan('inner').isRecording()).toBe(false)
    }),
  )
  expect(isTracingSuppressed(context.active())).toBe(false)
})
