import { builtin } from '@svc/core/builtin'
import { Ledger } from '@svc/core/delivery/ledger'
import { senderFor } from '@svc/core/delivery/send'
import { openSpool } from '@svc/core/delivery/spool/open-spool'
import type { Environment } from '@svc/core/environment'
import { missingKeys } from '@svc/core/keys'
import { warnOnce } from '@svc/core/log'
import { detectRuntime, type HostRuntime } from '@svc/core/runtime'
import { type Transport, transportOf } from '@svc/core/transport'
import { compressionFor } from './compression.ts'
import { destinationOf } from './destination.ts'
import { enriched } from './enriched.ts'
import { EndpointExport, type ExportMode } from './export/endpoint-export.ts'
import { type ExportQueue, nowhere } from './export/export-queue.ts'
import { ExporterExport } from './export/exporter-export.ts'
import { NoLedger } from './export/no-ledger.ts'
import { SPANS } from './export/span-format.ts'
import { masker } from './mask.ts'
import { mediaLifter } from './media/lift.ts'
import { Uploads } from './media/uploads.ts'
import type { SvcSpanProcessorParams } from './params.ts'
import { Pipeline } from './pipeline.ts'
import { redacted } from './redact.ts'
import { type ExportSettings, mediaTarget } from './request.ts'

/** Builds the export pipeline from settings and from options that only code can give. */
export function assemble(settings: ExportSettings, params: SvcSpanProcessorParams, env: Environment): Pipeline {
  const host: Host = { runtime: detectRuntime(env), transport: transportOf(settings.baseUrl, env) }
  const ledger = new Ledger(SPANS)
  const queue = queueFor(settings, params, ledger, host)
  // Spans that are not sent need neither masking nor uploads.
  if (queue === nowhere) {
    const nothing = { ledger: new NoLedger(SPANS), onDelivered: params.onDelivered }
    return new Pipeline({ steps: [enriched, redacted], queue, ...nothing })
  }
  const uploads = uploadsFor(settings, host)
  const steps = [
    enriched,
    redacted,
    ...(params.mask ? [masker(params.mask)] : []),
    ...(uploads ? [mediaLifter(uploads.schedule)] : []),
  ]
  return new Pipeline({ steps, queue, ledger, background: uploads, onDelivered: params.onDelivered })
}

/** The runtime and its network settings. */
interface Host {
  readonly runtime: HostRuntime
  readonly transport: Transport
}

// Media are uploaded to the service even with a custom exporter, if keys are set.
function uploadsFor(settings: ExportSettings, { runtime, transport }: Host): Uploads | undefined {
  const target = settings.mediaUploadEnabled && missingKeys(settings).length === 0 ? mediaTarget(settings) : undefined
  return target && new Uploads(target, senderFor(runtime, transport), settings.timeout * 1_000)
}

function queueFor(
  settings: ExportSettings,
  params: SvcSpanProcessorParams,
  ledger: Ledger,
  { runtime, transport }: Host,
): ExportQueue {
  const mode = exportModeOf(params.exportMode)
  const to = destinationOf(settings, params.exporter)
  if (!to) return nowhere
  if ('export' in to) return new ExporterExport(to, settings, mode, ledger)
  return new EndpointExport({
    settings,
    mode,
    target: to,
    transport,
    ledger,
    sender: senderFor(runtime, transport),
    compression: compressionFor(settings.compression, runtime),
    get isMainThread() {
      return builtin('node:worker_threads')?.isMainThread !== false
    },
    openSpool: (onReady) => openSpool({ settings, target: to, ledger, noun: SPANS, onReady }),
  })
}

function exportModeOf(option: unknown): ExportMode {
  if (option === 'immediate' || option === 'batched') return option
  if (option !== undefined) warnOnce('option exportMode is ignored: expected "batched" or "immediate".')
  return 'batched'
}
