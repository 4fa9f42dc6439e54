import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
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

it('code in withTracingSuppressed has the store by which dd-trace leaves out what it does itself', async () => {
  const storage = new AsyncLocalStorage<{ noop?: true }>()
  const requests = channel('apm:http:client:request:start')
  requests.bindStore(storage, (store) => store as never)
  const seen = withTracingSuppressed(async () => {
    await Promise.resolve()
    return storage.getStore()
  })
  expect(await seen).toEqual({ noop: true })
  expect(storage.getStore()).toBeUndefined()
  requests.unbindStore(storage)
})
