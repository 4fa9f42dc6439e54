import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import { log, messageOf } from '@svc/core/log'
import { quietly } from '../quietly.ts'
import type { ExportSettings } from '../request.ts'
import type { Delivery } from './delivery.ts'
import type { ExportMode } from './intake.ts'

// The default of OpenTelemetry's processor, 2,048, loses nearly all of a burst.
const QUEUE_SIZE = 100_000

/**
 * The way to an exporter of the user's: OpenTelemetry's own batch or simple processor in front of it. They forget the
 * batches they have handed out, so those are counted here and a flush waits for them.
 */
export function standardDelivery(exporter: SpanExporter, settings: ExportSettings, mode: ExportMode): Delivery {
  const exports = new Set<Promise<void>>()
  const counted = countingExporter(exporter, exports)
  let early: ReadableSpan[] | undefined = []
  let inner: SpanProcessor | undefined

  const ready = loadProcessor(counted, settings, mode).then(
    (processor) => {
      inner = processor
      for (const span of early ?? []) processor.onEnd(span)
      early = undefined
    },
    (error: unknown) => {
      early = undefined
      log.error(`Option exporter needs the package @opentelemetry/sdk-trace; no span is sent: ${messageOf(error)}`)
    },
  )

  const flush = async () => {
    await ready
    await quietly(() => inner?.forceFlush())?.catch(say)
    await Promise.all(exports)
    await exporter.forceFlush?.().catch(say)
  }

  return {
    deliver(span) {
      if (inner) inner.onEnd(span)
      else if (early && early.length < QUEUE_SIZE) early.push(span)
    },
    flush,
    async shutdown() {
      await flush()
      await inner?.shutdown().catch(say)
    },
  }
}

async function loadProcessor(exporter: SpanExporter, settings: ExportSettings, mode: ExportMode) {
  const { BatchSpanProcessor, SimpleSpanProcessor } = await import('@opentelemetry/sdk-trace')
  if (mode === 'immediate') return new SimpleSpanProcessor({ exporter })
  return new BatchSpanProcessor({
    exporter,
    maxExportBatchSize: settings.flushAt,
    maxQueueSize: Math.max(QUEUE_SIZE, settings.flushAt),
    scheduledDelayMillis: settings.flushInterval * 1_000,
  })
}

function countingExporter(exporter: SpanExporter, exports: Set<Promise<void>>): SpanExporter {
  return {
    export(spans, callback) {
      const done = new Promise<void>((resolve) => {
        exporter.export(spans, (result) => {
          callback(result)
          resolve()
        })
      }).finally(() => exports.delete(done))
      exports.add(done)
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

function say(error: unknown): void {
  log.error('The exporter failed:', error)
}
