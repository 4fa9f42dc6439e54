import { createRequire } from 'node:module'
import type { DropReason, SvcHealth } from '@svc/core/health'
import { log, messageOf } from '@svc/core/log'
import { getSvcHealth } from '@svc/core/registry'
import { toolHere } from './tool.ts'

const require = createRequire(import.meta.url)

// `node --import @svc/register app.js` ends up here. What is heavy is loaded only where there is an application.
if (toolHere() === undefined) {
  try {
    // By `require`, because a preload that awaits could not be `--require`d.
    const { start } = require('@svc/register/start') as typeof import('./start.ts')
    start()
  } catch (error) {
    // Not every Node may require ES modules, and not every place has all packages. The application can do without us.
    log.error(`svc cannot start, so nothing is traced: ${reasonOf(error)}`)
  }
}

// For the application that asks how it is doing: this module runs once, whoever imports it.
export { type DropReason, getSvcHealth, type SvcHealth }

function reasonOf(error: unknown): string {
  return process.features.require_module === false
    ? 'Node may not require ES modules. Leave out --no-experimental-require-module.'
    : messageOf(error)
}
