import { createRequire } from 'node:module'
import { hostEnvironment } from '@svc/core/environment'
import { missingKeys } from '@svc/core/keys'
import { log, messageOf } from '@svc/core/log'
import { getRuntime } from '@svc/core/registry'
import { readSettings } from '@svc/core/setting'
import { clientSettings } from '@svc/core/settings'
import { isRecorded } from '../experiment/recording.ts'

/**
 * Starts the pipeline of `@svc/register` in the worker of the test runner, in which the preload does nothing. Called
 * when this module is imported, because instrumented libraries must be loaded later.
 */
export function startPipeline(): void {
  if (getRuntime() || isRecorded() || keysMissing().length > 0) return
  try {
    const { start } = createRequire(import.meta.url)('@svc/register/start') as { start(options: object): unknown }
    start({ owner: '@svc/client/vitest' })
  } catch (error) {
    log.once('warn', `svcExperiment cannot start @svc/register, so no traces are recorded: ${messageOf(error)}`)
  }
}

/** Returns the variables of the missing API keys. */
export function keysMissing(): string[] {
  return missingKeys(readSettings(clientSettings, {}, hostEnvironment, () => {}))
}
