import { hostEnvironment } from '@svc/core/environment'
import { warnOnce } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { preloadSettings } from '@svc/core/settings'
import { toolOf } from './application.ts'

/** The tool that this process runs, where it is no application; undefined as well when `SVC_FORCE` says otherwise. */
export function toolHere(): string | undefined {
  const { force } = readSettings({ force: preloadSettings.force }, {}, hostEnvironment, warnOnce)
  if (force) return undefined
  return toolOf({ argv: process.argv, execArgv: process.execArgv, nextPhase: hostEnvironment('NEXT_PHASE') })
}
