import { createApi, type SvcApi } from '@svc/client/api'
import { hostVariables } from '@svc/core/environment'
import { missingKeys } from '@svc/core/keys'
import { readSettings } from '@svc/core/setting'
import { clientSettings } from '@svc/core/settings'
import { variablesOf } from '../doctor/app/variables.ts'
import { isAgreed, strayKeys } from '../doctor/key-source.ts'
import { Failure } from '../failure.ts'
import type { ServiceAddress } from './explain.ts'

/** The API of a project, and its address for messages. */
export interface ConnectedApi {
  readonly api: SvcApi
  readonly address: ServiceAddress
}

/**
 * Returns the API of the project whose keys are in the environment or in `.env` of this folder; that of `orElse` where there
 * is no key at all. @throws {Failure}
 */
export async function connectApi(
  { yes }: { readonly yes?: unknown },
  orElse?: () => Promise<ConnectedApi>,
): Promise<ConnectedApi> {
  const variables = variablesOf({ folder: '.', host: hostVariables(), starts: [], frameworkFiles: [] })
  const { env } = variables
  const complaints: string[] = []
  const settings = readSettings(clientSettings, {}, env, (line) => complaints.push(line))
  if (settings.baseUrl === undefined || complaints.length > 0) throw new Failure(...complaints)
  const missing = missingKeys(settings)
  if (missing.length === 2 && orElse) return orElse()
  if (missing.length > 0) {
    throw new Failure(`no ${missing.join(' and no ')}: set it in the environment or in .env of this folder`)
  }
  const stray = strayKeys(variables)
  if (stray !== undefined && !(await isAgreed(stray, yes))) {
    throw new Failure(`${stray}, so nothing was sent: set both in the same place, or add --yes`)
  }
  const { baseUrl, publicKey } = settings
  return { api: createApi({ env }), address: { baseUrl, publicKey } }
}
