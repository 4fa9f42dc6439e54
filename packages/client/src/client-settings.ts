import { givenEnvironment } from '@svc/core/environment'
import { isFields } from '@svc/core/json'
import { missingKeys } from '@svc/core/keys'
import { warnOnce } from '@svc/core/log'
import { ownFields } from '@svc/core/own'
import { readSettings, type Settings } from '@svc/core/setting'
import { clientSettings } from '@svc/core/settings'
import { type Transport, transportOf } from '@svc/core/transport'
import { shown } from './misuse.ts'
import type { SvcClientOptions } from './options.ts'

/** The resolved options and variables of a client, with the transport of its requests. */
export interface ClientSettings extends Settings<typeof clientSettings> {
  readonly transport: Transport
}

/** Resolves options and environment. Invalid or missing values are logged. */
export function settingsOf(given: SvcClientOptions): ClientSettings {
  if (!isFields(given)) warnOnce(`the options of SvcClient are ignored: expected an object, got ${shown(given)}.`)
  const options: SvcClientOptions = ownFields(isFields(given) ? given : {})
  const env = givenEnvironment(options.env, warnOnce)
  const settings = readSettings(clientSettings, { ...options }, env, warnOnce)
  const missing = missingKeys(settings)
  if (missing.length > 0) {
    const set = missing.length > 1 ? 'Set them' : 'Set it'
    warnOnce(`no ${missing.join(' and no ')}, so the service will reject the requests of SvcClient. ${set}.`)
  }
  return { ...settings, transport: transportOf(settings.baseUrl, env) }
}
