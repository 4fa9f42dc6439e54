import { createRequire } from 'node:module'
import type { DropReason, SvcHealth } from '@svc/core/health'
import { log, messageOf } from '@svc/core/log'
import { getSvcHealth } from '@svc/core/registry'
import { toolHere } from './tool.ts'

const require = createRequire(import.meta.url)

// The entry of `node --import @svc/register app.js`. The rest is loaded only if the process is the application.
if (toolHere() === undefined) {
  try {
    // With `require`, because a preload with a top-level await could not be used with `--require`.
    const { preload } = require('./preload.js') as typeof import('./preload.ts')
    preload()
  } catch (error) {
    // Not every Node can require ES modules, and packages may be missing. The application must run without svc.
    log.error(`svc cannot start, so nothing is traced: ${reasonOf(error)}`)
  }
}

// For applications that read the health: this module runs once, however often it is imported.
export { type DropReason, getSvcHealth, type SvcHealth }

function reasonOf(error: unknown): string {
  return process.features.require_module === false
    ? 'Node may not require ES modules. Leave out --no-experimental-require-module.'
    : messageOf(error)
}
