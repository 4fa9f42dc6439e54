import { builtin } from '@svc/core/builtin'
import { Ledger } from '@svc/core/delivery/ledger'
import { openSpool } from '@svc/core/delivery/spool/open-spool'
import type { Environment } from '@svc/core/environment'
import { warnOnce } from '@svc/core/log'
import { destinationOf } from './destination.ts'
import { EndpointExport, type ExportMode } from './export/endpoint-export.ts'
import { type ExportQueue, nowhere } from './export/export-queue.ts'
import { SPANS } from './export/span-format.ts'
import type { SvcSpanProcessorParams } from './params.ts'
import { Pipeline } from './pipeline.ts'
import type { Connection, Platform } from './platform.ts'
import { Redaction } from './redaction/redaction.ts'
import type { ExportSettings } from './request.ts'

/** What ended spans pass. */
export interface Assembly {
  readonly pipeline: Pipeline
  /** A step of the pipeline. */
  readonly redaction: Redaction
}

/** Builds the export pipeline from settings and from options that only code can give. */
export function assemble(
  settings: ExportSettings,
  params: SvcSpanProcessorParams,
  env: Environment,
  platform: Platform,
): Assembly {
  const redaction = new Redaction({ redact: settings.redact, redactPatterns: params.redactPatterns }, platform.personal)
  const connection = platform.connect(settings, env)
  const ledger = new Ledger(SPANS)
  const queue = queueFor(settings, params, ledger, connection, platform)
  const first = [platform.enrich, redaction.step]
  // Spans that are not sent need neither masking nor uploads.
  if (queue === nowhere) {
    const nothing = { ledger: new NoLedger(SPANS), onDelivered: params.onDelivered }
    return { redaction, pipeline: new Pipeline({ steps: first, queue, ...nothing }) }
  }
  const media = platform.media(settings, connection)
  const steps = [...(params.mask ? [platform.masker(params.mask)] : []), ...(media ? [media.step] : [])]
  const { onDelivered } = params
  return { redaction, pipeline: new Pipeline({ first, steps, queue, ledger, background: media?.uploads, onDelivered }) }
}

function queueFor(
  settings: ExportSettings,
  params: SvcSpanProcessorParams,
  ledger: Ledger,
  { transport, encoding, compression, sender }: Connection,
  { exportTo }: Platform,
): ExportQueue {
  const mode = exportModeOf(params.exportMode)
  const to = destinationOf(settings, params.exporter, encoding.contentType)
  if (!to) return nowhere
  if ('export' in to) return exportTo(to, settings, mode, ledger)
  return new EndpointExport({
    settings,
    mode,
    target: to,
    transport,
    ledger,
    sender: sender(),
    encoding,
    compression,
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

/** Where nothing is sent, nothing is lost. */
class NoLedger extends Ledger {
  override end(): void {}
  override drop(): void {}
  override dropAtEnd(): void {}
  override close(): void {}
}
