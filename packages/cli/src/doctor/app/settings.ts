import { loadConfigFile } from '@svc/core/config-file'
import { readSettings, type Settings } from '@svc/core/setting'
import { exportSettings, logSettings, preloadSettings } from '@svc/core/settings'
import { transportOf } from '@svc/core/transport'
import type { AppVariables } from './variables.ts'

/** The resolved settings of the app. */
export interface Decided {
  readonly service: Settings<typeof exportSettings>
  readonly preload: Settings<typeof preloadSettings>
  /** Options from the config file; undefined if it cannot be loaded, empty if none was run. */
  readonly config: Readonly<Record<string, unknown>> | undefined
  /** Whether the app has a config file that was not run, so that some of its options are unknown. */
  readonly isConfigUnknown: boolean
  /** Messages of the preload about invalid values. */
  readonly complaints: readonly string[]
}

/**
 * Resolves all settings like the preload.
 *
 * @param configFile the config file to run. That of a variable is not run: a file of the folder may set it
 */
export function decide({ env }: AppVariables, folder: string, configFile: string | undefined): Decided {
  const complaints = new Set<string>()
  const report = (line: string) => void complaints.add(line)
  const preload = readSettings(preloadSettings, {}, env, report)
  const config = configFile === undefined ? {} : loadConfigFile(configFile, report, folder)
  const isConfigUnknown = configFile === undefined && preload.configFile !== undefined
  const service = readSettings(exportSettings, config ?? {}, env, report)
  // Reports certificate files that cannot be read.
  transportOf(service.baseUrl, env, report)
  readSettings(logSettings, {}, env, report)
  return { service, preload, config, isConfigUnknown, complaints: [...complaints] }
}
