import * as HEADER from '@svc/core/attributes/headers'
import type { Target } from '@svc/core/delivery/outbox-parts'
import { serviceHeaders } from '@svc/core/service-headers'
import type { Settings } from '@svc/core/setting'
import type { exportSettings } from '@svc/core/settings'

export type ExportSettings = Settings<typeof exportSettings>

/** Where spans go (contract 1.2); undefined when no usable base URL was given. */
export function traceTarget(settings: ExportSettings, contentType: string): Target | undefined {
  if (settings.baseUrl === undefined) return undefined
  return {
    url: `${settings.baseUrl}/api/public/otel/v1/traces`,
    headers: serviceHeaders(settings, {
      [HEADER.INGESTION_VERSION]: String(settings.ingestionVersion),
      'content-type': contentType,
    }),
  }
}

/** The REST API that media uploads talk to. Same host and keys, never the ingestion version (contract 1.2). */
export function mediaTarget(settings: ExportSettings): Target | undefined {
  if (settings.baseUrl === undefined) return undefined
  const headers = serviceHeaders(settings, { 'content-type': 'application/json' })
  const { [HEADER.INGESTION_VERSION]: _, ...rest } = headers
  return { url: `${settings.baseUrl}/api/public/media`, headers: rest }
}
