import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from './log.ts'
import { exportSettings } from './settings.ts'

const KEYS = new Set([
  ...Object.keys(exportSettings),
  'exporter',
  'exportMode',
  'mask',
  'shouldExportSpan',
  'trustTraceparent',
])

/**
 * Loads the module that `SVC_CONFIG_FILE` names, synchronously because the application must not start before it is known.
 *
 * @param folder what `path` is relative to. Default: the working directory
 * @returns undefined when it cannot be loaded: it may hold a mask, so running without it could leak what it hides.
 */
export function loadConfigFile(
  path: string,
  report: (line: string) => void,
  folder = '.',
): Readonly<Record<string, unknown>> | undefined {
  const file = resolve(folder, path)
  try {
    const loaded: unknown = createRequire(pathToFileURL(file))(file)
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
  const isModule = typeof loaded === 'object' && loaded !== null && 'default' in loaded
  return isModule ? loaded.default : loaded
}
