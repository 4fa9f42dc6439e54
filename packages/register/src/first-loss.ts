import { hostEnvironment } from '@svc/core/environment'
import { log } from '@svc/core/log'
import { isFirstLine, shareLines } from '@svc/core/shared-lines'
import { awaitPackages } from '@svc/instrumentation/hook'
import { HOOKED_PACKAGES } from '@svc/instrumentation/hooked-packages'
import { type Plan, planOf } from './plan.ts'

/**
 * Plans the pipeline of a process that may be any: under `NODE_OPTIONS` also a build, a script runner, a small tool. What
 * stands in the way of a pipeline is reported when something is lost by it: when a library is loaded whose calls would be
 * recorded, or our own. Where modules cannot be hooked it is reported now.
 */
export function planOrReportLoss(): Plan | undefined {
  const lines: string[] = []
  const plan = planOf({}, hostEnvironment, (line) => lines.push(line))
  if (lines.length === 0) return plan
  shareLines()
  const say = () => {
    // In either case it is not reported again by what reads the settings later.
    const level = isFirstLine(0) ? 'warn' : 'debug'
    for (const line of lines) log.once(level, line)
    return true
  }
  if (plan || awaitPackages([...HOOKED_PACKAGES, '@svc/tracing'], say) !== 'all') say()
  return plan
}
