import { missingKeys } from '@svc/core/keys'
import { log, warnOnce } from '@svc/core/log'
import type { Runtime } from '@svc/core/runtime'
import { concealed } from './conceal.ts'
import { type Delivery, nowhere } from './delivery/delivery.ts'
import { type ExportMode, intakeDelivery } from './delivery/intake.ts'
import { senderFor } from './delivery/send.ts'
import { standardDelivery } from './delivery/standard.ts'
import { enriched } from './enrich.ts'
import { masker } from './mask.ts'
import { mediaLifter } from './media/lift.ts'
import { Uploads } from './media/uploads.ts'
import type { SvcSpanProcessorParams } from './params.ts'
import { Pipeline } from './pipeline.ts'
import { type ExportSettings, mediaTarget, traceTarget } from './request.ts'

/** Builds the way a wanted span takes, from what was decided and what only code can say. */
export function assemble(settings: ExportSettings, params: SvcSpanProcessorParams, runtime: Runtime): Pipeline {
  const delivery = deliveryFor(settings, params, runtime)
  // What goes nowhere needs neither masking nor uploads.
  if (delivery === nowhere)
    return new Pipeline({ steps: [enriched, concealed], delivery, onDelivered: params.onDelivered })
  const uploads = uploadsFor(settings, runtime)
  const steps = [
    enriched,
    concealed,
    ...(params.mask ? [masker(params.mask)] : []),
    ...(uploads ? [mediaLifter(uploads.schedule)] : []),
  ]
  return new Pipeline({ steps, delivery, background: uploads, onDelivered: params.onDelivered })
}

// Media go to the service also when spans take another way, as long as the keys for it are there.
function uploadsFor(settings: ExportSettings, runtime: Runtime): Uploads | undefined {
  const target = settings.mediaUploadEnabled && missingKeys(settings).length === 0 ? mediaTarget(settings) : undefined
  return target && new Uploads(target, senderFor(runtime), settings.timeout * 1_000)
}

function deliveryFor(settings: ExportSettings, params: SvcSpanProcessorParams, runtime: Runtime): Delivery {
  const mode = exportModeOf(params.exportMode)
  if (params.exporter) {
    if (typeof params.exporter.export === 'function') return standardDelivery(params.exporter, settings, mode)
    // Falling back to the service would send the spans where the user did not want them.
    warnOnce('option exporter is not usable, so nothing is sent: expected an OpenTelemetry SpanExporter.')
    return nowhere
  }
  const missing = missingKeys(settings)
  if (missing.length > 0) {
    const set = missing.length > 1 ? 'Set them' : 'Set it'
    log.once(
      'warn',
      `no ${missing.join(' and no ')}, so spans are recorded but not sent. ${set}, or SVC_TRACING_ENABLED=false to silence this.`,
    )
    return nowhere
  }
  const target = traceTarget(settings)
  return target ? intakeDelivery(settings, target, mode, runtime) : nowhere
}

function exportModeOf(said: unknown): ExportMode {
  if (said === 'immediate' || said === 'batched') return said
  if (said !== undefined) warnOnce('option exportMode is ignored: expected "batched" or "immediate".')
  return 'batched'
}
