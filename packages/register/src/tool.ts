import { hostEnvironment } from '@svc/core/environment'
import { warnOnce } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { preloadSettings } from '@svc/core/settings'
import { toolOf } from './application.ts'

/** Returns the tool that this process runs; undefined if it is the application, or with `SVC_FORCE`. */
export function toolHere(): string | undefined {
  const { force } = readSettings({ force: preloadSettings.force }, {}, hostEnvironment, warnOnce)
  if (force) return undefined
  return toolOf({ argv: process.argv, execArgv: process.execArgv, nextPhase: hostEnvironment('NEXT_PHASE') })
}
