import { warnOnce } from '@svc/core/log'
import { readSettings, type SettingTable } from '@svc/core/setting'

type Fields = Readonly<Record<string, unknown>>

/** What a processor was made with: its options, and the settings that were read from them by `rows`. */
interface Made {
  readonly params: object
  readonly settings: Fields
  readonly rows: SettingTable
}

/**
 * Reports options that are settled when a processor is made and now have another value. A second application of the
 * process may give the same ones again.
 */
export function reportLate(late: Fields, { params, settings, rows }: Made): void {
  const given = readSettings(rows, late, () => undefined, Boolean)
  for (const [name, value] of Object.entries(late)) {
    const isSame = name in rows && JSON.stringify(given[name]) === JSON.stringify(settings[name])
    if (value === undefined || isSame || value === (params as Fields)[name]) continue
    warnOnce(`option ${name} comes too late and is ignored: tracing has started. Set it there.`)
  }
}
