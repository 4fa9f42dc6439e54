import { senderFor } from '@svc/core/delivery/send'
import { missingKeys } from '@svc/core/keys'
import { detectRuntime } from '@svc/core/runtime'
import { exportSettings } from '@svc/core/settings'
import { transportOf } from '@svc/core/transport'
import { compressionFor } from './compression.ts'
import { contentOf } from './dialects/content-of.ts'
import { withKnownCounts } from './dialects/usage.ts'
import { enriched } from './enrich.ts'
import { ExporterExport } from './export/exporter-export.ts'
import { PROTOBUF } from './export/protobuf.ts'
import { createKeep } from './keep/keep.ts'
import { masker } from './mask.ts'
import { mediaLifter } from './media/lift.ts'
import { Uploads } from './media/uploads.ts'
import type { Platform } from './platform.ts'
import { personal } from './redaction/personal.ts'
import { mediaTarget } from './request.ts'
import { SameCalls } from './same-call.ts'

/** Everything that a runtime may have, as far as this one has it. */
export const SERVER: Platform = {
  settings: exportSettings,

  enrich: (span) => enriched(span, contentOf, withKnownCounts),

  personal,

  masker,

  exportTo: (...to) => new ExporterExport(...to),

  sameCalls: (pass) => new SameCalls(pass),

  keepBy: createKeep,

  connect(settings, env) {
    const runtime = detectRuntime(env)
    const transport = transportOf(settings.baseUrl, env)
    const compression = compressionFor(settings.compression, runtime)
    return { transport, encoding: PROTOBUF, compression, sender: () => senderFor(runtime, transport) }
  },

  // Media are uploaded to the service even with a custom exporter, if keys are set.
  media(settings, { sender }) {
    const target = settings.mediaUploadEnabled && missingKeys(settings).length === 0 ? mediaTarget(settings) : undefined
    if (!target) return undefined
    const uploads = new Uploads(target, sender(), settings.timeout * 1_000)
    return { step: mediaLifter(uploads.schedule), uploads }
  },
}
