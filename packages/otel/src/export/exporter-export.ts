import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import { log, messageOf } from '@svc/core/log'
import { quietly } from '@svc/core/quietly'
import { within } from '@svc/core/timers'
import type { ExportSettings } from '../request.ts'
import type { Delivery } from './delivery.ts'
import type { ExportMode } from './intake.ts'
import { DeliveryRecord } from './record.ts'

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0]

// The default of OpenTelemetry's processor, 2,048, loses nearly all of a burst.
const QUEUE_SIZE = 100_000
/** Milliseconds a flush waits for an exporter that does not call back: what OpenTelemetry gives one export. */
const LIMIT_MS = 30_000

/**
 * The way to an exporter of the user's: OpenTelemetry's own batch or simple processor in front of it. They forget the
 * batches they have handed out, so those are counted here and a flush waits for them.
 */
export function standardDelivery(exporter: SpanExporter, settings: ExportSettings, mode: ExportMode): Delivery {
  const exports = new Set<Promise<void>>()
  const record = new DeliveryRecord()
  let queued = 0
  let early: ReadableSpan[] = []
  let inner: SpanProcessor | undefined

  const ready = loadProcessor(counting(exporter, exports, settled), settings, mode).then(
    (processor) => {
      inner = processor
      for (const span of early) processor.onEnd(span)
      early = []
    },
    (error: unknown) =>
      log.error(`Option exporter needs the package @opentelemetry/sdk-trace; no span is sent: ${messageOf(error)}`),
  )

  function settled(spans: number, failure: unknown): void {
    queued -= spans
    if (failure === undefined) record.succeeded()
    else record.failed(messageOf(failure))
  }

  async function flush(): Promise<void> {
    await ready
    const work = quietly(async () => {
      await inner?.forceFlush().catch(say)
      await Promise.all(exports)
      await exporter.forceFlush?.()
    })
    await within(work.catch(say), LIMIT_MS)
  }

  return {
    deliver(span) {
      queued += 1
      if (inner) inner.onEnd(span)
      else if (early.length < QUEUE_SIZE) early.push(span)
    },
    flush,
    health: () => record.health(queued),
    async shutdown() {
      await flush()
      if (inner) await within(inner.shutdown().catch(say), LIMIT_MS)
    },
  }
}

async function loadProcessor(
  exporter: SpanExporter,
  settings: ExportSettings,
  mode: ExportMode,
): Promise<SpanProcessor> {
  const { BatchSpanProcessor, SimpleSpanProcessor } = await import('@opentelemetry/sdk-trace')
  if (mode === 'immediate') return new SimpleSpanProcessor({ exporter })
  return new BatchSpanProcessor({
    exporter,
    maxExportBatchSize: settings.flushAt,
    maxQueueSize: Math.max(QUEUE_SIZE, settings.flushAt),
    scheduledDelayMillis: settings.flushInterval * 1_000,
  })
}

/**
 * The same exporter, with a promise in `exports` for every export that may still call back.
 *
 * @param settled told what became of how many spans: what was the matter, if something was
 */
function counting(
  exporter: SpanExporter,
  exports: Set<Promise<void>>,
  settled: (spans: number, failure: unknown) => void,
): SpanExporter {
  return {
    export(spans, report) {
      const callback = (result: ExportResult) => {
        settled(spans.length, result.code === 0 ? undefined : (result.error ?? 'the exporter failed'))
        report(result)
      }
      const called = new Promise<ExportResult>((resolve) => exporter.export(spans, resolve))
      const done = within(called, LIMIT_MS)
        // One that never calls back must not be waited for again by every flush to come.
        .then((result) => callback(result ?? failedWith(`no answer within ${LIMIT_MS / 1_000} s`)))
        .catch((error: unknown) => callback(failedWith(messageOf(error))))
        .then(() => void exports.delete(done))
      exports.add(done)
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

const failedWith = (message: string): ExportResult => ({ code: 1, error: new Error(message) })

function say(error: unknown): void {
  log.error('The exporter failed:', error)
}
