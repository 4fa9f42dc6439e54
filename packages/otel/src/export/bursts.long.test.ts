import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { expect, it } from 'vitest'
import { catchLog } from '../../test/support/console.ts'
import { reportedLosses } from '../../test/support/health.ts'
import { startIntake } from '../../test/support/intake.ts'
import { KEYS, tracing } from '../../test/support/tracing.ts'

const log = catchLog()

it('the export to the service delivers a burst of 100,000 spans in one tick', async () => {
  await using intake = await startIntake()
  const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url })
  for (let at = 0; at < 100_000; at++) tracer().startSpan(`s${at}`).end()
  // A flush gives up after 30 s, in which a busy machine has not read them all.
  while (processor.health().pending > 0) await processor.forceFlush()
  await processor.shutdown()
  expect(intake.spans).toHaveLength(100_000)
  expect(processor.health()).toMatchObject({ ended: 100_000, sent: 100_000, pendingBytes: 0, dropped: {} })
  expect(log.lines()).toEqual([])
})

it('a custom exporter receives a burst beyond the queue size of OpenTelemetry', async () => {
  let count = 0
  const exporter: SpanExporter = {
    export(spans, callback) {
      count += spans.length
      callback({ code: ExportResultCode.SUCCESS })
    },
    shutdown: async () => {},
  }
  const { processor, tracer } = tracing({ exporter })
  await processor.forceFlush()
  for (let at = 0; at < 20_000; at++) tracer().startSpan('s').end()
  await processor.forceFlush()
  expect(count).toBe(20_000)
})

it('a custom exporter that is too slow loses spans beyond the queue, which are counted and reported', async () => {
  let count = 0
  const waiting: (() => void)[] = []
  const exporter: SpanExporter = {
    export(spans, callback) {
      count += spans.length
      waiting.push(() => callback({ code: ExportResultCode.SUCCESS }))
    },
    shutdown: async () => {},
  }
  const { processor, tracer } = tracing({ exporter })
  await processor.forceFlush()
  for (let at = 0; at < 100_007; at++) tracer().startSpan('s').end()
  expect(processor.health()).toMatchObject({ ended: 100_007, pending: 100_000, dropped: { queue_full: 7 } })
  const flush = processor.forceFlush()
  while (count < 100_000 || processor.health().pending > 0) {
    for (const answer of waiting.splice(0)) answer()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await flush
  expect(processor.health()).toMatchObject({ sent: 100_000, pending: 0, dropped: { queue_full: 7 } })
  await processor.shutdown()
  expect(reportedLosses(log.lines('The export queue is full (100000 spans)'))).toBe(7)
})
