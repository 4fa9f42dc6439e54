import { type Transport, transportOf } from '@svc/core/transport'
import { type OwnSettings, ownSettingsOf, type SvcClientOptions } from './options.ts'

/** The settings of a client with the way that its requests travel. */
export interface ClientSettings extends OwnSettings {
  readonly transport: Transport
}

/** What the options and the environment come to. What is wrong or missing is said in one line each. */
export function settingsOf(options: SvcClientOptions): ClientSettings {
  const { settings, env } = ownSettingsOf(options)
  return { ...settings, transport: transportOf(settings.baseUrl, env) }
}
