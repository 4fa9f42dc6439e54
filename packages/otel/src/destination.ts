import type { Target } from '@svc/core/delivery/outbox-parts'
import { missingKeys } from '@svc/core/keys'
import { warnOnce } from '@svc/core/log'
import { type ExportSettings, traceTarget } from './request.ts'
import type { SpanExporter } from './sdk.ts'

/** Returns the exporter of the application, or the service; undefined where nothing can be sent, which is reported. */
export function destinationOf(
  settings: ExportSettings,
  exporter: SpanExporter | undefined,
  contentType: string,
): SpanExporter | Target | undefined {
  if (exporter) {
    if (typeof exporter.export === 'function') return exporter
    // Falling back to the service would send the spans where the user did not want them.
    warnOnce('option exporter is not usable, so nothing is sent: expected an OpenTelemetry SpanExporter.')
    return undefined
  }
  const missing = missingKeys(settings)
  if (missing.length === 0) return traceTarget(settings, contentType)
  const names = missing.join(' and no ')
  const which = missing.length > 1 ? 'them' : 'it'
  warnOnce(
    `no ${names}, so spans are recorded but not sent. Set ${which}, or SVC_TRACING_ENABLED=false to silence this.`,
  )
  return undefined
}
