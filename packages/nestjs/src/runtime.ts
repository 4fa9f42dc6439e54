import { apiGlobal } from '@svc/core/api-global'
import { hostEnvironment } from '@svc/core/environment'
import { log, messageOf } from '@svc/core/log'
import { getRuntime } from '@svc/core/registry'
import { readSettings } from '@svc/core/setting'
import { lambdaFunction, preloadSettings } from '@svc/core/settings'
import type { SvcModuleOptions } from './options.ts'

/**
 * Joins the pipeline of this process, or starts one if there is none.
 *
 * @returns whether spans are recorded
 */
export async function join(options: SvcModuleOptions): Promise<boolean> {
  const { user, session, context, captureInput, captureOutput, exclude, shutdownTimeoutMs, ...pipeline } = options
  const running = getRuntime()
  if (running) {
    running.attach(pipeline)
    return true
  }
  if (isSwitchedOff()) return false
  if (isRegistered()) {
    log.once(
      'info',
      'SvcModule found another OpenTelemetry provider and keeps it: spans reach svc if ' +
        'new SvcSpanProcessor() of @svc/otel is one of its processors.',
    )
    return true
  }
  return await startOwn(pipeline)
}

async function startOwn(options: object): Promise<boolean> {
  try {
    const { toolHere } = await import('@svc/register/tool')
    const tool = toolHere()
    if (tool !== undefined) {
      log.once('debug', `SvcModule does not start svc in ${tool}. SVC_FORCE=true does.`)
      return false
    }
    const { start } = await import('@svc/register/start')
    if (!start({ ...options, owner: '@svc/nestjs' })) return false
    log.once(
      'warn',
      `svc was not preloaded, so SvcModule started it: calls of libraries that were imported before are not recorded${freezing()}. ` +
        'Start Node with --import @svc/register.',
    )
    return true
  } catch (error) {
    log.once('warn', `SvcModule cannot start svc, so nothing is traced: ${messageOf(error)}`)
    return false
  }
}

/** Without the preload nothing has the platform wait. */
function freezing(): string {
  const { lambdaFunction: name } = readSettings({ lambdaFunction }, {}, hostEnvironment, () => {})
  return name === undefined ? '' : ', and no invocation of AWS Lambda waits until what it recorded is delivered'
}

/** True if the environment turns tracing off. Then a third-party provider gets no spans either. */
function isSwitchedOff(): boolean {
  const { tracingEnabled, sdkDisabled } = readSettings(preloadSettings, {}, hostEnvironment, () => {})
  return !tracingEnabled || sdkDisabled
}

/** True if a tracer provider is registered: `@opentelemetry/api` keeps it in a global of its own. */
export function isRegistered(): boolean {
  return apiGlobal()?.trace !== undefined
}
