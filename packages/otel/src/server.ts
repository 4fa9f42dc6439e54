import { exportSettings } from '@svc/core/settings'
import { createKeep } from './keep/keep.ts'
import type { Platform } from './platform.ts'
import { personal } from './redaction/personal.ts'
import { SameCalls } from './same-call.ts'
import { connect, createExporterExport, enrich, masker, mediaHandling } from './server-parts.ts'

/** Everything that a runtime may have, as far as this one has it. */
export const SERVER: Platform = {
  settings: exportSettings,
  personal,
  sameCalls: (pass) => new SameCalls(pass),
  keepBy: createKeep,
  enrich,
  masker,
  exportTo: createExporterExport,
  connect,
  media: mediaHandling,
}
