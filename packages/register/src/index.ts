import { createRequire } from 'node:module'
import { hostEnvironment } from '@svc/core/environment'
import { warnOnce } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { preloadSettings } from '@svc/core/settings'
import { toolOf } from './application.ts'

// `node --import @svc/register app.js` ends up here. What is heavy is loaded only where there is an application.
const { force } = readSettings({ force: preloadSettings.force }, {}, hostEnvironment, warnOnce)
const tool = toolOf({ argv: process.argv, execArgv: process.execArgv, nextPhase: hostEnvironment('NEXT_PHASE') })
if (force || tool === undefined) {
  // By `require`, because a preload that awaits could not be `--require`d.
  const { start } = createRequire(import.meta.url)('@svc/register/start') as typeof import('./start.ts')
  start()
}
