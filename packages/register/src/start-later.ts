import { apiGlobal } from '@svc/core/api-global'
import { type Environment, hostVariables } from '@svc/core/environment'
import { own } from '@svc/core/own'
import { readSettings } from '@svc/core/setting'
import { deferredSettings, lambdaHandler } from '@svc/core/settings-first'
import { allFlags, hasOtherPreload } from './preloads.ts'

const PREFIX = /^(?:SVC|OTEL)_/
// Of a function, the first file that is loaded is the one to hook.
const ROWS = { ...deferredSettings, lambdaHandler }
const NAMES: ReadonlySet<string> = new Set(Object.values(deferredSettings).flatMap(({ env }) => env))

/**
 * Returns the environment as it is now, if libraries can be hooked when the first of them is loaded. A variable of ours or
 * OpenTelemetry's that is not among {@link deferredSettings} may switch off some of them, say, or need the engine at once.
 * What is invalid is reported at once.
 */
export function environmentForLater(): Environment | undefined {
  const { bun, deno } = process.versions
  // Their servers publish nothing that could be waited for.
  if (bun !== undefined || deno !== undefined || apiGlobal() !== undefined) return undefined
  const variables = hostVariables()
  if (hasOtherPreload(allFlags(variables))) return undefined
  if (Object.keys(variables).some((name) => PREFIX.test(name) && !NAMES.has(name))) return undefined
  const env: Environment = (name) => own(variables, name) || undefined
  let isPlain = true
  const settings = readSettings(ROWS, {}, env, () => {
    isPlain = false
  })
  const { publicKey, secretKey, lambdaHandler: handler } = settings
  return isPlain && publicKey !== undefined && secretKey !== undefined && handler === undefined ? env : undefined
}
