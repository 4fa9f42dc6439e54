import { createRequire } from 'node:module'
import { hostEnvironment } from '@svc/core/environment'
import { missingKeys } from '@svc/core/keys'
import { log, messageOf } from '@svc/core/log'
import { getRuntime } from '@svc/core/registry'
import { readSettings } from '@svc/core/setting'
import { clientSettings } from '@svc/core/settings'
import { isRecorded } from '../experiment/recording.ts'

/**
 * Starts the pipeline of `@svc/register` in the worker of the test runner, which the preload leaves alone. It has to
 * run before the libraries that it watches are loaded: when this module is imported.
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

/** The variables without which nothing can be sent. */
export function keysMissing(): string[] {
  return missingKeys(readSettings(clientSettings, {}, hostEnvironment, () => {}))
}
