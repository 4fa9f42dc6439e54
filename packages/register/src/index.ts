import { createRequire } from 'node:module'
import type { DropReason, SvcHealth } from '@svc/core/health'
import { log, messageOf } from '@svc/core/log'
import { getSvcHealth } from '@svc/core/registry'
import { preload } from './preload.ts'
import { toolHere } from './tool.ts'

const require = createRequire(import.meta.filename)

// The entry of `node --import @svc/register app.js`, which does nothing unless the process is the application. The second
// stage is loaded with `require`, because a preload with a top-level await could not be used with `--require`.
if (toolHere() === undefined) {
  try {
    preload(() => require('./engine.js'))
  } catch (error) {
    // The application must run without svc.
    log.error(`svc cannot start, so nothing is traced: ${messageOf(error)}`)
  }
}

// For applications that read the health: this module runs once, however often it is imported.
export { type DropReason, getSvcHealth, type SvcHealth }
