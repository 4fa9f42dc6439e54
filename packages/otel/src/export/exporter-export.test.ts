import { context } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode, isTracingSuppressed } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { catchLog } from '../../test/support/console.ts'
import { expectToAddUp } from '../../test/support/health.ts'
import { tracing, withContextManager } from '../../test/support/tracing.ts'

withContextManager()
const log = catchLog()

/** An exporter that calls back when a test says so. */
function slowExporter() {
  const batches: ReadableSpan[][] = []
  const callbacks: ((result: ExportResult) => void)[] = []
  const arrived: (() => void)[] = []
  const exporter: SpanExporter = {
    export(spans, callback) {
      batches.push(spans)
      callbacks.push(callback)
      for (const tell of arrived.splice(0)) tell()
    },
    shutdown: async () => {},
  }
  const answer = (code = ExportResultCode.SUCCESS) => {
    for (const callback of callbacks.splice(0)) callback({ code })
  }
  const next = () => new Promise<void>((resolve) => arrived.push(resolve))
  return { exporter, batches, answer, next }
}

describe('a custom exporter', () => {
  it('receives all spans in batches of flushAt, those of the first tick included', async () => {
    const { exporter, batches, answer, next } = slowExporter()
    const { processor, tracer } = tracing({ exporter, flushAt: 2 })
    for (const name of ['a', 'b', 'c']) tracer().startSpan(name).end()
    const flush = processor.forceFlush()
    await next()
    answer()
    while (batches.flat().length < 3) await next()
    answer()
    await flush
    expect(batches.map((batch) => batch.map(({ name }) => name))).toEqual([['a', 'b'], ['c']])
  })

  it.each(['immediate', 'batched'] as const)('is awaited by a flush, %s', async (exportMode) => {
    const { exporter, answer, next } = slowExporter()
    const { processor, tracer } = tracing({ exporter, exportMode, flushAt: 1 })
    tracer().startSpan('s').end()
    await next()
    let flushed = false
    const flush = processor.forceFlush().then(() => {
      flushed = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(flushed).toBe(false)
    answer()
    await flush
  })

  it.each<[what: string, exporter: SpanExporter]>([
    [
      'throws',
      {
        export: () => {
          throw new Error('broken exporter')
        },
        shutdown: async () => {},
      },
    ],
    [
      'fails',
      {
        export: (_, callback) => callback({ code: ExportResultCode.FAILED, error: new Error('broken exporter') }),
        shutdown: async () => {},
      },
    ],
    [
      'fails to flush',
      {
        export: (_, callback) => callback({ code: ExportResultCode.SUCCESS }),
        forceFlush: () => Promise.reject(new Error('broken exporter')),
        shutdown: () => Promise.reject(new Error('broken exporter')),
      },
    ],
  ])('that %s causes no error in the application', async (_, exporter) => {
    const { processor, tracer } = tracing({ exporter })
    tracer().startSpan('s').end()
    await processor.forceFlush()
    await processor.shutdown()
    expect(log.lines('The exporter failed').length).toBeGreaterThan(0)
  })

  it('that never calls back is awaited once', async () => {
    const { exporter, next } = slowExporter()
    const { processor, tracer } = tracing({ exporter, exportMode: 'immediate' })
    await processor.forceFlush()
    vi.useFakeTimers()
    const exported = next()
    tracer().startSpan('s').end()
    await exported
    const first = processor.forceFlush()
    await vi.advanceTimersByTimeAsync(30_000)
    await first
    await processor.forceFlush()
    vi.useRealTimers()
  })

  it('is shut down with the processor, and its exports are not traced', async () => {
    const seen: unknown[] = []
    const exporter: SpanExporter = {
      export(_, callback) {
        seen.push(isTracingSuppressed(context.active()))
        callback({ code: ExportResultCode.SUCCESS })
      },
      shutdown: async () => void seen.push('shutdown'),
    }
    const { processor, tracer } = tracing({ exporter })
    tracer().startSpan('s').end()
    await processor.shutdown()
    expect(seen).toEqual([true, 'shutdown'])
  })

  it('that fails loses its batch, which is counted and reported with the reason', async () => {
    const exporter: SpanExporter = {
      export: (spans, callback) =>
        callback(
          spans[0]?.name === 's0' ? { code: ExportResultCode.FAILED, error: new Error('disk full') } : { code: 0 },
        ),
      shutdown: async () => {},
    }
    const { processor, tracer } = tracing({ exporter, flushAt: 2 })
    for (let at = 0; at < 3; at++) tracer().startSpan(`s${at}`).end()
    await processor.forceFlush()
    expect(processor.health()).toMatchObject({ ended: 3, sent: 1, pending: 0, dropped: { export_failed: 2 } })
    expectToAddUp(processor.health())
    expect(log.lines()).toEqual(['svc: [ERROR] The exporter failed: disk full. 2 spans are lost.'])
  })

  it('that is an async function and rejects loses its batch, and leaves nothing unhandled', async () => {
    const rejections: unknown[] = []
    const onRejection = (reason: unknown) => void rejections.push(reason)
    process.on('unhandledRejection', onRejection)
    onTestFinished(() => void process.off('unhandledRejection', onRejection))
    const exporter = { export: async () => Promise.reject(new Error('disk full')), shutdown: async () => {} }
    const { processor, tracer } = tracing({ exporter })
    tracer().startSpan('s').end()
    await processor.forceFlush()
    await new Promise((resolve) => setImmediate(resolve))
    expect(rejections).toEqual([])
    expect(processor.health()).toMatchObject({ ended: 1, sent: 0, pending: 0, dropped: { export_failed: 1 } })
    expect(log.lines()).toEqual(['svc: [ERROR] The exporter failed: disk full. 1 span is lost.'])
  })

  it('that never calls back counts as failed after 30 seconds', async () => {
    const { exporter, next } = slowExporter()
    const { processor, tracer } = tracing({ exporter, exportMode: 'immediate' })
    await processor.forceFlush()
    vi.useFakeTimers()
    const exported = next()
    tracer().startSpan('s').end()
    await exported
    await vi.advanceTimersByTimeAsync(29_999)
    expect(processor.health()).toMatchObject({ ended: 1, pending: 1, dropped: {} })
    await vi.advanceTimersByTimeAsync(1)
    expect(processor.health()).toMatchObject({ ended: 1, pending: 0, dropped: { export_failed: 1 } })
    expect(log.lines('The exporter failed: no answer within 30 s. 1 span is lost.')).toHaveLength(1)
    vi.useRealTimers()
  })

  it('that hangs loses its spans at shutdown, counted once and reported in one line', async () => {
    const { exporter, answer, next } = slowExporter()
    const { processor, tracer } = tracing({ exporter, flushAt: 2, shutdownTimeout: 0.05 })
    const exported = next()
    for (let at = 0; at < 5; at++) tracer().startSpan(`s${at}`).end()
    await exported
    await processor.shutdown()
    expect(processor.health()).toMatchObject({ ended: 5, sent: 0, pending: 0, dropped: { shutdown: 5 } })
    expect(log.lines('lost')).toEqual(['svc: [ERROR] The exporter did not accept the last spans. 5 spans are lost.'])
    // It calls back after the wait for it has ended.
    answer()
    await new Promise((resolve) => setImmediate(resolve))
    expectToAddUp(processor.health())
  })

  it('receives spans that ended before its processor was loaded', async () => {
    const { exporter, batches, answer, next } = slowExporter()
    const { processor, tracer } = tracing({ exporter, exportMode: 'immediate' })
    const exported = next()
    tracer().startSpan('early').end()
    expect(processor.health()).toMatchObject({ ended: 1, pending: 1 })
    await exported
    answer()
    await processor.forceFlush()
    expect(batches.flat().map(({ name }) => name)).toEqual(['early'])
    expect(processor.health()).toMatchObject({ ended: 1, sent: 1, pending: 0 })
  })
})
