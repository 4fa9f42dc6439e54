import { log, warnOnce } from '@svc/core/log'
import { type Delivery, nowhere } from './delivery/delivery.ts'
import { type ExportMode, intakeDelivery } from './delivery/intake.ts'
import { standardDelivery } from './delivery/standard.ts'
import { enriched } from './enrich.ts'
import type { SvcSpanProcessorParams } from './params.ts'
import { Pipeline } from './pipeline.ts'
import { type ExportSettings, missingKeys, traceTarget } from './request.ts'
import type { Runtime } from './runtime.ts'

/** Builds the way a wanted span takes, from what was decided and what only code can say. */
export function assemble(settings: ExportSettings, params: SvcSpanProcessorParams, runtime: Runtime): Pipeline {
  const delivery = deliveryFor(settings, params, runtime)
  return new Pipeline({ steps: [enriched], delivery, onDelivered: params.onDelivered })
}

function deliveryFor(settings: ExportSettings, params: SvcSpanProcessorParams, runtime: Runtime): Delivery {
  const mode = exportModeOf(params.exportMode)
  if (params.exporter) return standardDelivery(params.exporter, settings, mode)
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
