import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { messageOf } from './log.ts'
import { exportSettings } from './settings.ts'

const KEYS = new Set([
  ...Object.keys(exportSettings),
  'exporter',
  'exportMode',
  'mask',
  'redactPatterns',
  'shouldExportSpan',
  'trustTraceparent',
])

/**
 * Loads the module of `SVC_CONFIG_FILE`, synchronously, because the application must not start without it.
 *
 * @param folder the folder of a relative `path`. Default: the working directory
 * @returns undefined if it cannot be loaded; the caller must not trace then, because it may contain a mask
 */
export function loadConfigFile(
  path: string,
  report: (line: string) => void,
  folder = '.',
): Readonly<Record<string, unknown>> | undefined {
  const file = resolve(folder, path)
  try {
    const loaded: unknown = createRequire(file)(file)
    const config = defaultExport(loaded)
    if (typeof config !== 'object' || config === null) throw new TypeError('its default export is not an object')
    for (const key of Object.keys(config)) {
      if (!KEYS.has(key) && key !== '__esModule')
        report(`SVC_CONFIG_FILE: "${key}" is not an option and is ignored. Known: ${[...KEYS].join(', ')}.`)
    }
    return config as Readonly<Record<string, unknown>>
  } catch (error) {
    const reason = messageOf(error).split('\n', 1)[0]
    report(
      `SVC_CONFIG_FILE=${JSON.stringify(path)} cannot be loaded, so nothing is traced (it may hold a mask): ${reason}`,
    )
    return undefined
  }
}

function defaultExport(loaded: unknown): unknown {
  const isModule = typeof loaded === 'object' && loaded !== null && Object.hasOwn(loaded, 'default')
  return isModule ? (loaded as { default: unknown }).default : loaded
}
