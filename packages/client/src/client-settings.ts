import { type Transport, transportOf } from '@svc/core/transport'
import { type OwnSettings, ownSettingsOf, type SvcClientOptions } from './options.ts'

/** The settings of a client, with the transport of its requests. */
export interface ClientSettings extends OwnSettings {
  readonly transport: Transport
}

/** Resolves options and environment. Invalid or missing values are logged. */
export function settingsOf(options: SvcClientOptions): ClientSettings {
  const { settings, env } = ownSettingsOf(options)
  return { ...settings, transport: transportOf(settings.baseUrl, env) }
}
