import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { Cause, Failures } from '@svc/core/failures'
import type { Runtime } from '@svc/core/runtime'
import { type Compression, compressionFor } from '../compression.ts'
import type { ExportSettings, Target } from '../request.ts'
import { isSuccess, type Sender } from './answer.ts'
import { Batches, type SendBatch } from './batch.ts'
import { compress } from './compress.ts'
import type { Delivery } from './delivery.ts'
import { encode } from './encode.ts'
import { causeOfAnswer, causeOfError, spanFailures } from './failures.ts'
import { DeliveryRecord } from './record.ts'
import { resourcesSettled } from './resources.ts'
import { retrying } from './retry.ts'
import { senderFor } from './send.ts'

export type ExportMode = 'batched' | 'immediate'

// As many as OpenTelemetry's own exporter keeps under way, for one request a span.
const IMMEDIATE_CONCURRENCY = 30

/** The way to the service's own intake: batch, encode, compress, send, retry. */
export function intakeDelivery(settings: ExportSettings, target: Target, mode: ExportMode, runtime: Runtime): Delivery {
  const sender = retrying(senderFor(runtime))
  const failures = spanFailures()
  const record = new DeliveryRecord()
  const send = batchSender({
    target,
    sender,
    failures,
    record,
    compression: compressionFor(settings.compression, runtime),
    timeoutMs: settings.timeout * 1_000,
  })
  const batches =
    mode === 'immediate'
      ? new Batches(send, { size: 1, everyMs: 1_000, concurrency: IMMEDIATE_CONCURRENCY })
      : new Batches(send, { size: settings.flushAt, everyMs: settings.flushInterval * 1_000 })
  return {
    deliver: (span) => batches.deliver(span),
    flush: () => batches.flush(),
    health: () => record.health(batches.queued),
    async shutdown() {
      await batches.shutdown()
      failures.reportRest()
      sender.close()
    },
  }
}

interface BatchSenderParts {
  readonly target: Target
  readonly sender: Sender
  readonly failures: Failures
  readonly record: DeliveryRecord
  readonly compression: Compression
  readonly timeoutMs: number
}

function batchSender({ target, sender, failures, record, compression, timeoutMs }: BatchSenderParts): SendBatch {
  const { host } = new URL(target.url)
  const lose = (cause: Cause, spans: number) => {
    record.failed(cause.text)
    failures.report(cause, spans)
  }
  return async (batch: ReadableSpan[]) => {
    await resourcesSettled(batch, timeoutMs)
    const { body: plain, spans } = encode(batch)
    if (spans < batch.length) failures.report(UNWRITABLE, batch.length - spans)
    if (spans === 0) return
    const { body, encoding } = await compress(plain, compression)
    const headers = encoding ? { ...target.headers, 'content-encoding': encoding } : target.headers
    try {
      const answer = await sender.send({ method: 'POST', url: target.url, headers, body, timeoutMs })
      if (isSuccess(answer)) record.succeeded()
      else lose(causeOfAnswer(answer, host), spans)
    } catch (error) {
      lose(causeOfError(error, host, timeoutMs), spans)
    }
  }
}

const UNWRITABLE = { kind: 'unwritable', text: 'Spans that throw when read cannot be written down.' }
