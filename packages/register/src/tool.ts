import { hostEnvironment } from '@svc/core/environment'
import { warnOfSetting } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { force } from '@svc/core/settings-first'
import { toolOf } from './application.ts'

/** Returns the tool that this process runs; undefined if it is the application, or with `SVC_FORCE`. */
export function toolHere(): string | undefined {
  const settings = readSettings({ force }, {}, hostEnvironment, warnOfSetting)
  if (settings.force) return undefined
  return toolOf({ argv: process.argv, execArgv: process.execArgv, nextPhase: hostEnvironment('NEXT_PHASE') })
}
