import { API_SLOT, type ApiGlobal, apiGlobal } from '@svc/core/api-global'
import { behind } from '@svc/core/shown'

/*
 * In the published bundle, the module of OpenTelemetry's API (`internal/global-utils`) that finds and registers what all
 * copies of the API share. This one looks at no version: it takes what is registered in the process as it finds it, and
 * lets the version be changed (`api-version.ts`).
 */

/** The version of the API in the bundle. */
export const VERSION = '1.10.0'

type Name = Exclude<keyof ApiGlobal, 'version'>

interface Diag {
  error(message: string): void
}

export function registerGlobal(name: Name, instance: never, diag: Diag, allowOverride = false): boolean {
  const globals = globalThis as unknown as Record<symbol, ApiGlobal>
  globals[API_SLOT] ??= { version: VERSION }
  const api = globals[API_SLOT]
  if (api[name] && !allowOverride) {
    const { stack, message } = new Error(`@opentelemetry/api: Attempted duplicate registration of API: ${name}`)
    diag.error(stack || message)
    return false
  }
  Object.assign(api, { [name]: instance })
  return true
}

export function getGlobal<N extends Name>(name: N): ApiGlobal[N] | undefined {
  return behind(apiGlobal()?.[name])
}

export function unregisterGlobal(name: Name): void {
  const api = apiGlobal()
  if (api) delete (api as { -readonly [N in Name]: ApiGlobal[N] })[name]
}
