import { apiGlobal } from '@svc/core/api-global'
import { hostEnvironment, hostVariables } from '@svc/core/environment'
import { readSettings } from '@svc/core/setting'
import { LATER_VARIABLES, lambdaHandler, publicKey, secretKey } from '@svc/core/settings'
import { allFlags, hasOtherPreload } from './preloads.ts'

const PREFIX = /^(?:SVC|OTEL)_/

/**
 * Whether libraries can be hooked when the first of them is loaded. A variable of ours or OpenTelemetry's that is not
 * among {@link LATER_VARIABLES} may switch off some of them, say, or need the engine at once.
 */
export function canStartLater(): boolean {
  const { bun, deno } = process.versions
  // Their servers publish nothing that could be waited for.
  if (bun !== undefined || deno !== undefined) return false
  return apiGlobal() === undefined && hasPlainSettings()
}

function hasPlainSettings(): boolean {
  const variables = hostVariables()
  if (hasOtherPreload(allFlags())) return false
  const keys = readSettings({ publicKey, secretKey, lambdaHandler }, {}, hostEnvironment, () => {})
  if (keys.publicKey === undefined || keys.secretKey === undefined) return false
  // Of a function, the first file that is loaded is the one to hook.
  if (keys.lambdaHandler !== undefined) return false
  return Object.keys(variables).every((name) => LATER_VARIABLES.has(name) || !PREFIX.test(name))
}
