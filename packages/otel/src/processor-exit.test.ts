import type { ExitHandler } from '@svc/core/exit'
import { afterEach, expect, it, vi } from 'vitest'
import { exporting } from '../test/support/tracing.ts'
import { Pipeline } from './pipeline.ts'

/** The exit handlers that are registered. */
const handlers = vi.hoisted(() => new Set<ExitHandler>())

vi.mock('@svc/core/exit', async (original) => {
  const exit = await original<typeof import('@svc/core/exit')>()
  const onExit = (handler: ExitHandler) => {
    const registration = exit.onExit(handler)
    handlers.add(handler)
    const remove = () => {
      handlers.delete(handler)
      registration.remove()
    }
    return { ...registration, remove }
  }
  return { ...exit, onExit }
})

afterEach(() => void vi.restoreAllMocks())

it('a processor that was shut down removes its exit handler', async () => {
  const { processor, tracer } = exporting()
  expect(handlers.size).toBe(0)
  tracer().startSpan('s').end()
  expect(handlers.size).toBe(1)
  await processor.shutdown()
  expect(handlers.size).toBe(0)
})

it('a flush at exit waits as long for one response as the shutdown timeout says, and any other one as the timeout says', async () => {
  const { processor, tracer } = exporting({ timeout: 3, shutdownTimeout: 7 })
  tracer().startSpan('s').end()
  const [handler] = handlers
  const flush = vi.spyOn(Pipeline.prototype, 'flush')
  await handler?.flush(true)
  await handler?.flush(false)
  expect(flush.mock.calls.map(([{ idleMs }]) => idleMs)).toEqual([7_000, 3_000])
  await processor.shutdown()
})
