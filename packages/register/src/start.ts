import { type Environment, hostEnvironment } from '@svc/core/environment'
import { log, messageOf } from '@svc/core/log'
import { getRuntime, type Runtime } from '@svc/core/registry'
import { arm } from './arm.ts'
import { planOf } from './plan.ts'
import { run } from './runtime.ts'
import type { StartOptions } from './start-options.ts'

export type { StartOptions } from './start-options.ts'

/**
 * Starts the one pipeline of this process: settings, provider, context, instrumentations. What records and delivers is
 * loaded when something comes that is to be recorded. Where a pipeline runs already, it gets `options` attached instead.
 *
 * Never throws over configuration: what is wrong is reported in one line, and the application runs as without us.
 *
 * @param env where variables are looked up. Default: the environment of the process.
 * @returns the running pipeline, or undefined when there is none: switched off, no keys, or another provider.
 */
export function start(options: StartOptions = {}, env: Environment = hostEnvironment): Runtime | undefined {
  const running = getRuntime()
  if (running) {
    const { owner: _, ...added } = options
    running.attach(added)
    return running
  }
  try {
    const plan = planOf(options, env)
    return plan && run(plan, (requests) => arm(plan, requests))
  } catch (error) {
    log.error(`svc cannot start, so nothing is traced: ${messageOf(error)}`)
    return undefined
  }
}
