import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '@svc/core/log'
import { exportSettings } from '@svc/core/settings'
import type { SvcSpanProcessorParams } from '@svc/otel'

/** What the module named by `SVC_CONFIG_FILE` exports: its default export, `module.exports`, or its named exports. */
export type SvcConfig = Omit<SvcSpanProcessorParams, 'env' | 'onDelivered'> & {
  /** Continue the trace that `traceparent` of an HTTP request names. Default: `SVC_TRUST_TRACEPARENT`, else true. */
  trustTraceparent?: boolean | undefined
}

const KEYS = new Set([
  ...Object.keys(exportSettings),
  'exporter',
  'exportMode',
  'mask',
  'shouldExportSpan',
  'trustTraceparent',
])

/**
 * Loads the config file, synchronously because the application must not start before it is known.
 *
 * @returns undefined when it cannot be loaded: it may hold a mask, so running without it could leak what it hides.
 */
export function loadConfigFile(path: string, report: (line: string) => void): SvcConfig | undefined {
  const file = resolve(path)
  try {
    const loaded: unknown = createRequire(pathToFileURL(file))(file)
    const config = defaultExport(loaded)
    if (typeof config !== 'object' || config === null) throw new TypeError('its default export is not an object')
    for (const key of Object.keys(config)) {
      if (!KEYS.has(key) && key !== '__esModule')
        report(`SVC_CONFIG_FILE: "${key}" is not an option and is ignored. Known: ${[...KEYS].join(', ')}.`)
    }
    return config
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
