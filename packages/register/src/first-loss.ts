import { builtin } from '@svc/core/builtin'
import { hostEnvironment } from '@svc/core/environment'
import { log } from '@svc/core/log'
import * as SLOTS from '@svc/core/slots'
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
  const isFirst = onceForThreads()
  const say = () => {
    // In either case it is not reported again by what reads the settings later.
    const level = isFirst() ? 'warn' : 'debug'
    for (const line of lines) log.once(level, line)
    return true
  }
  if (plan || awaitPackages([...HOOKED_PACKAGES, '@svc/tracing'], say) !== 'all') say()
  return plan
}

/** Returns a function that returns true once for this process and the threads that it starts from now on. */
function onceForThreads(): () => boolean {
  const threads = builtin('node:worker_threads')
  if (!threads) return () => true
  const { getEnvironmentData, setEnvironmentData } = threads
  if (!(getEnvironmentData(SLOTS.SAID) instanceof SharedArrayBuffer))
    setEnvironmentData(SLOTS.SAID, new SharedArrayBuffer(4))
  const said = new Int32Array(getEnvironmentData(SLOTS.SAID) as unknown as SharedArrayBuffer)
  return () => Atomics.exchange(said, 0, 1) === 0
}
