import type { DropReason, SvcHealth } from '@svc/core/health'
import { log, messageOf } from '@svc/core/log'
import { getSvcHealth } from '@svc/core/registry'
import { loadEngine } from './load-engine.ts'
import { preload } from './preload.ts'
import { toolHere } from './tool.ts'

// The entry of `node --import @svc/register app.js`, which does nothing unless the process is the application.
if (toolHere() === undefined) {
  try {
    preload(loadEngine)
  } catch (error) {
    // The application must run without svc.
    log.error(`svc cannot start, so nothing is traced: ${messageOf(error)}`)
  }
}

// For applications that read the health: this module runs once, however often it is imported.
export { type DropReason, getSvcHealth, type SvcHealth }
