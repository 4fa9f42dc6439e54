import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { createApi } from '@svc/client/api'
import { environmentOf, hostVariables } from '@svc/core/environment'
import { missingKeys } from '@svc/core/keys'
import { readSettings } from '@svc/core/setting'
import { clientSettings } from '@svc/core/settings'
import { Failure } from '../failure.ts'
import { PromptService } from './prompt-service.ts'

/**
 * Returns the prompts of the project whose keys are in the environment or in `.env` of this folder. @throws {Failure}
 */
export function connect(): PromptService {
  const env = environmentOf({ ...envFile(), ...set(hostVariables()) })
  const complaints: string[] = []
  const settings = readSettings(clientSettings, {}, env, (line) => complaints.push(line))
  if (settings.baseUrl === undefined || complaints.length > 0) throw new Failure(...complaints)
  const missing = missingKeys(settings)
  if (missing.length > 0) {
    throw new Failure(`no ${missing.join(' and no ')}: set it in the environment or in .env of this folder`)
  }
  const { baseUrl, publicKey } = settings
  return new PromptService(createApi({ env }), { baseUrl, publicKey })
}

/** An empty variable counts as unset. */
const set = (variables: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value))

function envFile(): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch {
    return {}
  }
}
