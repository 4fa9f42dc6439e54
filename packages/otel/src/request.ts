import * as HEADER from '@svc/core/attributes/headers'
import type { Target } from '@svc/core/delivery/outbox-parts'
import { serviceHeaders } from '@svc/core/service-headers'
import type { Settings } from '@svc/core/setting'
import type { edgeExportSettings, exportSettings } from '@svc/core/settings'

export type ExportSettings = Settings<typeof exportSettings>

/** Those of an edge runtime. */
export type EdgeExportSettings = Settings<typeof edgeExportSettings>

/** Where spans go (contract 1.2); undefined when no usable base URL was given. */
export function traceTarget(settings: EdgeExportSettings): Target | undefined {
  if (settings.baseUrl === undefined) return undefined
  return {
    url: `${settings.baseUrl}/api/public/otel/v1/traces`,
    headers: serviceHeaders(settings, {
      [HEADER.INGESTION_VERSION]: String(settings.ingestionVersion),
      'content-type': 'application/x-protobuf',
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
