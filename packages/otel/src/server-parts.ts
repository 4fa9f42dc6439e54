import { senderFor } from '@svc/core/delivery/send'
import type { Environment } from '@svc/core/environment'
import { missingKeys } from '@svc/core/keys'
import { detectRuntime } from '@svc/core/runtime'
import { transportOf } from '@svc/core/transport'
import { compressionFor } from './compression.ts'
import { contentOf } from './dialects/content-of.ts'
import { withKnownCounts } from './dialects/usage.ts'
import { enriched } from './enrich.ts'
import { PROTOBUF } from './export/protobuf.ts'
import { mediaLifter } from './media/lift.ts'
import { Uploads } from './media/uploads.ts'
import type { Connection, MediaHandling } from './platform.ts'
import { type ExportSettings, mediaTarget } from './request.ts'
import type { ReadableSpan } from './sdk.ts'

export { createExporterExport } from './export/exporter-export.ts'
export { masker } from './mask.ts'

export const enrich = (span: ReadableSpan): ReadableSpan => enriched(span, contentOf, withKnownCounts)

export function connect(settings: ExportSettings, env: Environment): Connection {
  const runtime = detectRuntime(env)
  const transport = transportOf(settings.baseUrl, env)
  const compression = compressionFor(settings.compression, runtime)
  return { transport, encoding: PROTOBUF, compression, sender: () => senderFor(runtime, transport) }
}

/** Media are uploaded to the service even with a custom exporter, if keys are set. */
export function mediaHandling(settings: ExportSettings, { sender }: Connection): MediaHandling | undefined {
  const target = settings.mediaUploadEnabled && missingKeys(settings).length === 0 ? mediaTarget(settings) : undefined
  if (!target) return undefined
  const uploads = new Uploads(target, sender(), settings.timeout * 1_000)
  return { step: mediaLifter(uploads.schedule), uploads }
}
